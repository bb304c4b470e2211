import { randomUUID } from "node:crypto";
import { data, Form, Link, useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { gameAction } from "./actions.server.ts";
import { type AdminGamePage, loadAdminGame } from "./game-view.server.ts";
import { loadRoster, type Roster } from "./roster-view.server.ts";
import { GameRoster } from "./roster.tsx";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { gameId } = params;
  const [game, roster] = await Promise.all([loadAdminGame(app, gameId), loadRoster(app, gameId)]);
  return game && roster ? data({ game, roster, formKey: randomUUID() }) : data(null, 404);
}

export const action = gameAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Game" });

export default function AdminGame({ loaderData, actionData: result }: Route.ComponentProps) {
  if (!loaderData) {
    return <Missing title="Game not found" back={{ to: "/admin/games", label: "Back to Games" }} />;
  }
  const { game, roster } = loaderData;
  const players = <GameRoster roster={roster} result={result} />;
  return (
    <article aria-labelledby="game" className="grid gap-6">
      <header className="grid gap-1">
        <BackLink to="/admin/games">Games</BackLink>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="game" className="text-lg">
            {game.title}
          </h2>
          <Badge tone={game.statusTone}>{game.status}</Badge>
        </div>
        <p className="font-semibold tabular-nums">
          {game.day}, {game.time}
        </p>
        <p className="text-muted">{game.place}</p>
      </header>
      {result && !isShownInForm(result, loaderData) && <FormErrors result={result} />}
      {game.refunds && <Notice title="This game was cancelled.">{game.refunds}</Notice>}
      {/* At the pitch the players come first. */}
      {roster.canMark && players}
      <GameActions game={game} result={result} />
      <GameFacts game={game} />
      {!roster.canMark && players}
      <SeriesGames games={game.series} current={game.id} />
    </article>
  );
}

/** Whether the form that failed is still on the page and shows its errors itself. */
function isShownInForm(
  { form = "", values }: FormResult,
  { game, roster }: { game: AdminGamePage; roster: Roster },
): boolean {
  const { players, isOn, canRecord } = roster;
  const shown = new Map([
    ["cancel", game.canCancel],
    ["add", isOn],
    ["remove", isOn && players.some(({ bookingId }) => bookingId === values?.bookingId)],
    ["message", players.length > 0],
    ["result", canRecord && players.length > 0],
  ]);
  return shown.get(form) ?? false;
}

type GameProps = { game: AdminGamePage; result: FormResult | undefined };

/** What can be done with a game, as it is now. */
function GameActions({ game, result }: GameProps) {
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
      {game.canCancel && <CancelGameDialog game={game} result={resultOf(result, "cancel")} />}
    </div>
  );
}

type ActionButtonProps = { intent: string; label: string; isPrimary?: boolean };

function ActionButton({ intent, label, isPrimary }: ActionButtonProps) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <Button
        variant={isPrimary ? "primary" : "secondary"}
        pending={isPending}
        pendingLabel={intent === "unpublish" ? "Unpublishing…" : "Publishing…"}
      >
        {label}
      </Button>
    </Form>
  );
}

function CancelGameDialog({ game, result }: GameProps) {
  const dialog = "cancel-game";
  const isCancelling = useNavigation().formData?.get("intent") === "cancel";
  return (
    <>
      <DialogTrigger dialog={dialog} variant="danger">
        Cancel game
      </DialogTrigger>
      <Dialog id={dialog} title="Cancel this game?" open={result}>
        <div className="mb-4 empty:hidden">
          <FormErrors result={result} />
        </div>
        <p className="font-semibold">
          {game.place}, {game.day}, {game.time}
        </p>
        {game.hasStarted && (
          <p className="mt-2">
            Its kick-off is over: cancel it only if it was not played. It then counts for nobody.
          </p>
        )}
        <p className="mt-2">{effectOnPlayers(game.joinedCount)} This cannot be undone.</p>
        <Form method="post" className="mt-6 flex flex-wrap justify-end gap-3 max-md:*:grow">
          <input type="hidden" name="intent" value="cancel" />
          <FormKey />
          <DialogClose dialog={dialog}>Keep the game</DialogClose>
          <Button variant="danger" pending={isCancelling} pendingLabel="Cancelling…">
            Cancel game for good
          </Button>
        </Form>
      </Dialog>
    </>
  );
}

function effectOnPlayers(players: number): string {
  if (players === 0) return "Nobody is in it.";
  const who = players === 1 ? "The one player will" : `All ${players} players will`;
  return `${who} get the full price back, whatever the hour, and an email.`;
}

function GameFacts({ game }: { game: AdminGamePage }) {
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3">
        {game.facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {game.description && <p className="wrap-anywhere whitespace-pre-line">{game.description}</p>}
    </div>
  );
}

/** All games of the series, this one among them. */
function SeriesGames({ games, current }: { games: AdminGamePage["series"]; current: string }) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="series" className="grid gap-3">
      <h3 id="series" className="text-lg">
        Series
      </h3>
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
    </section>
  );
}
