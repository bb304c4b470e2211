import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { listToCancel } from "#app/features/organise/cancel-games.server.ts";
import { listStatusKeys } from "#app/features/organise/game-keys.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { unreadCount } from "#app/features/chat/rules.ts";
import { spotsText } from "#app/features/games/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import type { AdminHandle } from "#app/routes/admin/page.tsx";
import { AdminPage, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { unreadOfOrganiser } from "#app/routes/unread.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { useKeptResult } from "#app/live/kept-result.ts";
import { useRereading } from "#app/live/rereading.ts";
import { LiveSpots } from "#app/live/live-spots.tsx";
import { useLiveGames } from "#app/live/use-live-games.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { gameAction } from "./actions.server.ts";
import type { RosterResult } from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { Confirmation } from "#app/routes/admin/games/plan/confirmation.tsx";
import type { ConfirmationView } from "#app/routes/admin/games/plan/confirmation.server.ts";
import { CancelDialog } from "#app/routes/admin/games/cancel/dialog.tsx";
import { type CancelOneView, toCancelOneView } from "#app/routes/admin/games/cancel/view.server.ts";
import { GameActions } from "./game-actions.tsx";
import { type AdminGamePage, loadGameView, loadRoster, type Roster } from "./game-view.server.ts";
import { SeriesGames } from "#app/routes/admin/games/plan/series.tsx";
import { SentMessages } from "./messages.tsx";
import { loadSentMessages } from "./messages-view.server.ts";
import { GameRoster } from "#app/routes/admin/games/roster/roster.tsx";
import { Waitlist } from "#app/routes/admin/games/waitlist/waitlist.tsx";
import {
  loadWaitlistView,
  type WaitlistReport,
} from "#app/routes/admin/games/waitlist/view.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const found = await findPlannedGame(app.db, params.gameId);
  if (!found) throw data(null, 404);
  const { db, now } = app;
  const [game, roster, waitlist, messages, [open], statusKeys, chats] = await Promise.all([
    loadGameView(app, found),
    loadRoster(app, found),
    loadWaitlistView(app, found),
    loadSentMessages(db, found.id),
    listToCancel(db, { gameId: found.id, withFollowing: false }, now()),
    listStatusKeys(db, found, now()),
    unreadOfOrganiser(context),
  ]);
  const { userId: viewerId } = context.get(viewerContext);
  const cancel = open && game.canCancel ? toCancelOneView(open) : null;
  const unread = chats.find(({ gameId }) => gameId === found.id)?.count ?? 0;
  return {
    ...{ game, roster, waitlist, messages, viewerId, cancel, statusKeys },
    unread: unread > 0 ? unreadCount(unread) : null,
    formKey: randomUUID(),
  };
}

export const action = gameAction;

export const meta = metaOf({ title: "Game" });

export const handle: AdminHandle = { isWide: true };

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

export default function AdminGame({ loaderData, actionData }: Route.ComponentProps) {
  const result = useKeptResult<RosterResult>(actionData);
  const { game, roster, waitlist, messages } = loaderData;
  const { id, joinedCount: joined, revision } = game;
  const games = game.isPublished ? [{ id, joined, revision, spots: roster.spots }] : [];
  const startRereading = useRereading();
  const live = useLiveGames({ of: loaderData, games, startRereading });
  return (
    <AdminPage
      back={{ to: "/admin/games", label: "Games" }}
      title={game.title}
      about={
        <>
          <span className="block font-semibold text-ink tabular-nums">
            {game.day}, {game.time}
          </span>{" "}
          {game.place}
        </>
      }
      aside={<Badge tone={game.statusTone}>{game.status}</Badge>}
      isCompact
      className="grid gap-6"
    >
      {games.length > 0 && (
        <LiveSpots key={id} text={spotsText(live[id]?.spots ?? roster.spots)} isLive={id in live} />
      )}
      {result?.confirmation && (
        <PublishConfirmation
          result={result}
          confirmation={result.confirmation}
          keys={loaderData.statusKeys}
        />
      )}
      {result && !isShownInForm(result, loaderData) && <FormErrors result={result} />}
      {game.refunds && (
        <Notice
          title={
            game.hadTooFewPlayers
              ? "This game was called off: too few players."
              : "This game was cancelled."
          }
        >
          {game.refunds}
          {roster.pendingCash && <p className="font-semibold tabular-nums">{roster.pendingCash}</p>}
        </Notice>
      )}
      {game.decision && <Decision game={game} decision={game.decision} />}
      {game.publishObstacle && <Notice tone="warn">{game.publishObstacle}</Notice>}
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[3fr_2fr]">
        <GameRoster roster={roster} result={result} viewerId={loaderData.viewerId} live={live[id]}>
          <GameActions game={game} keys={loaderData.statusKeys} unread={loaderData.unread} />
        </GameRoster>
        <div className="grid min-w-0 gap-6 lg:content-start">
          <GameFacts game={game} />
          <CancelGame game={game} cancel={loaderData.cancel} result={result} />
          {waitlist && <Waitlist waitlist={waitlist} result={result} />}
          <SentMessages messages={messages} />
          <SeriesGames game={game} />
        </div>
      </div>
    </AdminPage>
  );
}

type DecisionProps = { game: AdminGamePage; decision: NonNullable<AdminGamePage["decision"]> };

type PlayAnywayProps = { version: number } & Record<"effect" | "shown", string>;

/** What happens with too few players, and how to play all the same. */
function Decision({ game, decision }: DecisionProps) {
  return (
    <Notice tone={game.canPlayAnyway ? "warn" : "info"} title={decision.title}>
      <p>{decision.text}</p>
      {game.canPlayAnyway && <PlayAnywayDialog version={game.version} {...decision} />}
    </Notice>
  );
}

function PlayAnywayDialog({ version, effect, shown }: PlayAnywayProps) {
  const dialog = "play-anyway";
  return (
    <>
      <DialogTrigger dialog={dialog} className="mt-3 justify-self-start">
        Play anyway
      </DialogTrigger>
      <Dialog id={dialog} title="Play with fewer?">
        <IntentForm intent="play-anyway" hidden={{ version, shown }}>
          <p>{effect}</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Wait for more</DialogClose>
            <SubmitButton variant="primary">Play with however many come</SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

interface Shown {
  cancel: CancelOneView | null;
  roster: Roster;
  waitlist: WaitlistReport | null;
}

/** Whether the failed form is still on the page and shows its own errors. */
function isShownInForm(
  { form = "", values }: FormResult,
  { cancel, roster, waitlist }: Shown,
): boolean {
  const { players, isOn, canRecord } = roster;
  const place = waitlist?.rows.find(({ entryId }) => entryId === values?.entryId);
  const seat = players.find(({ bookingId }) => bookingId === values?.bookingId);
  const shown = new Map([
    ["waitlist-promote", place?.isOffered === false],
    ["waitlist-remove", place !== undefined],
    ["cancel", cancel !== null],
    ["add", isOn],
    ["remove", isOn && seat !== undefined],
    ["mark-paid", isOn && seat?.paymentStatus === "Unpaid"],
    ["check-in-rest", roster.canMark && players.some(({ attendance }) => !attendance)],
    ["message", roster.reached > 0],
    ["result", canRecord && players.length > 0],
    ["remove-result", canRecord && roster.result !== null],
  ]);
  return shown.get(form) ?? false;
}

type CancelGameProps = {
  game: AdminGamePage;
  cancel: CancelOneView | null;
  result: FormResult | undefined;
};

/** Apart from what is done each week. */
function CancelGame({ game, cancel, result }: CancelGameProps) {
  if (game.isPlayed) return <p className="text-muted">{PLAYED}</p>;
  if (!cancel) return null;
  return (
    <div>
      <CancelDialog game={game} cancel={cancel} result={resultOf(result, "cancel")} />
    </div>
  );
}

const PLAYED =
  "To cancel this game, first undo its check-ins and take back its result: they say it was played.";

type Keys = Record<string, string>;
type PublishConfirmationProps = {
  keys: Keys;
  result: RosterResult;
  confirmation: ConfirmationView;
};

function PublishConfirmation({ result, confirmation, keys }: PublishConfirmationProps) {
  const { form = "publish" } = result;
  return (
    <IntentForm intent={form} hidden={{ shown: keys[form] ?? "" }}>
      <Confirmation confirmation={confirmation} of={result} />
    </IntentForm>
  );
}

function GameFacts({ game }: { game: AdminGamePage }) {
  return (
    <div className={panelClass}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3 lg:grid-cols-2">
        {game.facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {game.description && <p className="wrap-anywhere whitespace-pre-line">{game.description}</p>}
      {game.playerNotes && (
        <p className="wrap-anywhere whitespace-pre-line">
          <strong className="block">Notes for players</strong>
          {game.playerNotes}
        </p>
      )}
    </div>
  );
}
