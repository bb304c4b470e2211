import { queryOf } from "#app/forms/form-fields.server.ts";
import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { listToCancel } from "#app/features/organise/cancel-games.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { Missing, missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/cancel";
import { CancelForm } from "./form.tsx";
import { cancelShown } from "./actions.server.ts";
import { toCancelView } from "./view.server.ts";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";
import { ScopeTabs } from "#app/routes/admin/games/plan/scope-tabs.tsx";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const game = await findPlannedGame(db, params.gameId);
  if (!game) throw data(null, 404);
  const query = queryOf(request);
  const withFollowing = query.get("scope") === "following";
  const chosen = query.getAll("game");
  const isChosen = chosen.length > 0 || query.get("scope") === "ticked";
  const scope = isChosen ? { chosen } : { withFollowing };
  const found = await listToCancel(db, { gameId: game.id, ...scope }, now());
  return {
    id: game.id,
    // The day is that of one game, which may not be among the ticked ones.
    about: isChosen
      ? `${game.venueName}, ${game.plan.title}`
      : `${game.venueName}, ${formatDay(game.plan.date)}`,
    // Cancelling from a cancelled game is for those that follow alone.
    hasChoice: game.seriesId !== null && (game.status === "Draft" || game.status === "Published"),
    withFollowing,
    isChosen,
    isNothingTicked: isChosen && chosen.length === 0,
    view: toCancelView(found),
    formKey: randomUUID(),
  };
}

export const action = cancelShown;

export const meta = metaOf({ title: "Cancel games" });

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

const NONE_LEFT = "There is no game left to cancel.";
const CLOSED = "This game was cancelled already, or is completed.";
const PLAYED =
  "This game was played: it has a result or check-ins. Take back the result and undo the check-ins first.";

export default function CancelGamesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, about, hasChoice, withFollowing, isChosen, view } = loaderData;
  const back = { to: `/admin/games/${id}`, label: "The game" };
  if (loaderData.isNothingTicked) {
    return (
      <Missing title="Cancel games" back={{ to: `${back.to}#series`, label: "Back to the series" }}>
        Tick games first.
      </Missing>
    );
  }
  return (
    <AdminPage back={back} title="Cancel games" about={about} className="grid max-w-2xl gap-6">
      {hasChoice && !isChosen && (
        <ScopeTabs path={`/admin/games/${id}/cancel`} withFollowing={withFollowing} />
      )}
      {view.count > 0 ? (
        <CancelForm key={String(withFollowing)} view={view} result={actionData} back={back.to} />
      ) : (
        <>
          <FormErrors result={actionData} />
          <p>{withFollowing || isChosen ? NONE_LEFT : view.played ? PLAYED : CLOSED}</p>
          {(withFollowing || isChosen) && view.played && <p>{view.played}</p>}
        </>
      )}
    </AdminPage>
  );
}
