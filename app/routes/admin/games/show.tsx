import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { AdminPage, Part, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { useRereading } from "#app/routes/games/rereading.ts";
import { LiveSpots, useLiveGames } from "#app/routes/games/use-live-games.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { gameAction } from "./actions.server.ts";
import { type AdminGamePage, loadGameView, loadRoster, type Roster } from "./game-view.server.ts";
import { GameRoster } from "./roster.tsx";
import { Waitlist } from "./waitlist.tsx";
import { loadWaitlistView, type WaitlistReport } from "./waitlist-view.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const found = await findPlannedGame(app.db, params.gameId);
  if (!found) throw data(null, 404);
  const [game, roster, waitlist] = await Promise.all([
    loadGameView(app, found),
    loadRoster(app, found),
    loadWaitlistView(app, found),
  ]);
  return { game, roster, waitlist, formKey: randomUUID() };
}

export const action = gameAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta = metaOf({ title: "Game" });

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

export default function AdminGame({ loaderData, actionData: result }: Route.ComponentProps) {
  const { game, roster, waitlist } = loaderData;
  const { id, joinedCount: joined, waitlistVersion } = game;
  const games =
    game.status === "Published" ? [{ id, joined, waitlistVersion, spots: roster.spots }] : [];
  const live = useLiveGames({ of: loaderData, games, startRereading: useRereading() });
  const players = <GameRoster roster={roster} result={result} />;
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
      className="grid gap-6"
    >
      {games.length > 0 && (
        <LiveSpots key={id} spots={live[id]?.spots ?? roster.spots} isLive={id in live} />
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
        </Notice>
      )}
      {game.decision && <Decision game={game} decision={game.decision} />}
      {/* At the pitch the players come first. */}
      {roster.canMark && players}
      <GameActions game={game} waiting={waitlist?.rows.length ?? 0} result={result} />
      <GameFacts game={game} />
      {!roster.canMark && players}
      {waitlist && <Waitlist waitlist={waitlist} result={result} />}
      <SeriesGames games={game.series} current={game.id} />
    </AdminPage>
  );
}

type DecisionProps = { game: AdminGamePage; decision: NonNullable<AdminGamePage["decision"]> };

/** What happens with too few players, and the way to play all the same. */
function Decision({ game, decision }: DecisionProps) {
  return (
    <Notice tone={game.canPlayAnyway ? "warn" : "info"} title={decision.title}>
      <p>{decision.text}</p>
      {game.canPlayAnyway && <PlayAnywayDialog game={game} decided={decision.decided} />}
    </Notice>
  );
}

function PlayAnywayDialog({ game, decided }: { game: AdminGamePage; decided: string }) {
  const dialog = "play-anyway";
  return (
    <>
      <DialogTrigger dialog={dialog} className="mt-3 justify-self-start">
        Play anyway
      </DialogTrigger>
      <Dialog id={dialog} title="Play with fewer?">
        <IntentForm intent="play-anyway" hidden={{ version: game.version }}>
          <p>{effectOfPlaying(game.joinedCount, decided)}</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Wait for more</DialogClose>
            <SubmitButton variant="primary">Play with however many come</SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

function effectOfPlaying(players: number, decided: string): string {
  if (players === 0) return "Nobody is in yet. It will be played with however many come.";
  const who = players === 1 ? "1 player is in, is" : `${players} players are in, are`;
  return `${who} told by email, and may cancel for the full price until ${decided}.`;
}

interface Shown {
  game: AdminGamePage;
  roster: Roster;
  waitlist: WaitlistReport | null;
}

/** Whether the failed form is still on the page and shows its own errors. */
function isShownInForm(
  { form = "", values }: FormResult,
  { game, roster, waitlist }: Shown,
): boolean {
  const { players, isOn, canRecord } = roster;
  const place = waitlist?.rows.find(({ entryId }) => entryId === values?.entryId);
  const shown = new Map([
    ["waitlist-promote", place?.isOffered === false],
    ["waitlist-remove", place !== undefined],
    ["cancel", game.canCancel],
    ["add", isOn],
    ["remove", isOn && players.some(({ bookingId }) => bookingId === values?.bookingId)],
    ["message", players.length > 0],
    ["result", canRecord && players.length > 0],
  ]);
  return shown.get(form) ?? false;
}

type GameProps = { game: AdminGamePage; waiting: number; result: FormResult | undefined };

function GameActions({ game, waiting, result }: GameProps) {
  const path = `/admin/games/${game.id}`;
  return (
    <div className="flex flex-wrap gap-3">
      {game.canPublish && <ActionButton intent="publish" label="Publish" isPrimary />}
      {game.canPublishFollowing && (
        <ActionButton intent="publish-following" label="Publish this and following games" />
      )}
      {game.canEdit && <ButtonLink to={`${path}/edit`}>Edit</ButtonLink>}
      <ButtonLink to={`/admin/games/new?from=${game.id}`}>Duplicate</ButtonLink>
      {game.canUnpublish && <ActionButton intent="unpublish" label="Unpublish" />}
      <ButtonLink to={`/events/${game.id}`} variant="quiet">
        View as player
      </ButtonLink>
      {game.canCancel && (
        <CancelGameDialog game={game} waiting={waiting} result={resultOf(result, "cancel")} />
      )}
    </div>
  );
}

type ActionButtonProps = { intent: string; label: string; isPrimary?: boolean };

function ActionButton({ intent, label, isPrimary }: ActionButtonProps) {
  return (
    <IntentForm intent={intent}>
      <SubmitButton
        variant={isPrimary ? "primary" : "secondary"}
        pendingLabel={intent === "unpublish" ? "Unpublishing…" : "Publishing…"}
      >
        {label}
      </SubmitButton>
    </IntentForm>
  );
}

function CancelGameDialog({ game, waiting, result }: GameProps) {
  const dialog = "cancel-game";
  return (
    <>
      <DialogTrigger dialog={dialog} variant="danger">
        Cancel game
      </DialogTrigger>
      <Dialog id={dialog} title="Cancel this game?" open={result}>
        <IntentForm intent="cancel" result={result}>
          <FormKey />
          <p className="font-semibold">
            {game.place}, {game.day}, {game.time}
          </p>
          {game.hasStarted && (
            <p>
              Its kick-off is over: cancel it only if it was not played. It then counts for nobody.
            </p>
          )}
          <p>
            {effectOnPlayers(game.joinedCount)} {effectOnWaiting(waiting)} This cannot be undone.
          </p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the game</DialogClose>
            <SubmitButton variant="danger" pendingLabel="Cancelling…">
              Cancel game for good
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

function effectOnWaiting(waiting: number): string {
  if (waiting === 0) return "";
  return waiting === 1 ? "The one who waits gets one too." : `The ${waiting} who wait get one too.`;
}

function effectOnPlayers(players: number): string {
  if (players === 0) return "Nobody is in it.";
  const who = players === 1 ? "The one player will" : `All ${players} players will`;
  return `${who} get the full price or the free session back, whatever the hour, and an email.`;
}

function GameFacts({ game }: { game: AdminGamePage }) {
  return (
    <div className={panelClass}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3">
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

/** All games of the series, including this one. */
function SeriesGames({ games, current }: { games: AdminGamePage["series"]; current: string }) {
  if (games.length === 0) return null;
  return (
    <Part title="Series">
      <ol className="overflow-hidden rounded-card bg-surface shadow-card">
        {games.map(({ id, day, seats, status, statusTone }) => (
          <li key={id} className="border-t border-line first:border-t-0">
            <Link
              to={`/admin/games/${id}`}
              aria-current={id === current ? "page" : undefined}
              className="flex min-h-12 flex-wrap items-center gap-x-4 px-4 py-1 tabular-nums hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:font-bold"
            >
              <span className="grow">{day}</span>
              <span className="text-muted">{seats}</span>
              <Badge tone={statusTone}>{status}</Badge>
            </Link>
          </li>
        ))}
      </ol>
    </Part>
  );
}
