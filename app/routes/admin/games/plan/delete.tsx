import { gamesText } from "#app/features/games/rules.ts";
import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { deleteGames, listToDelete } from "#app/features/organise/delete-games.server.ts";
import { listGameKeys } from "#app/features/organise/game-keys.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { formKeyOf } from "#app/platform/ids.ts";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/delete";
import { GameRows } from "./game-rows.tsx";
import { formatDay, formatTimes } from "#app/routes/admin/games/game-view.server.ts";
import { ScopeTabs } from "./scope-tabs.tsx";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const game = await findPlannedGame(db, params.gameId);
  if (!game) throw data(null, 404);
  const withFollowing = new URL(request.url).searchParams.get("scope") === "following";
  const found = await listToDelete(db, { gameId: game.id, withFollowing, now: now() });
  const keys = await listGameKeys(
    db,
    found.map(({ id }) => id),
  );
  return {
    id: game.id,
    place: `${game.venueName}, ${formatDay(game.plan.date)}`,
    isInSeries: game.seriesId !== null,
    withFollowing,
    ids: found.map(({ id }) => `${id}:${keys.get(id)}`).join(","),
    games: found.map(({ id, title, status, ...slot }) => ({
      ...{ id, title, notes: status, day: `${formatDay(slot.date)}, ${formatTimes(slot)}` },
    })),
    button: found.length === 1 ? "Delete game" : `Delete ${gamesText(found.length)}`,
    formKey: randomUUID(),
  };
}

export const action = formAction(
  adminRow({
    failed: "Failed to delete games",
    run: ({ db, now, actor: actorId, fields: { games = "", formKey } }) => {
      const listed = games.split(",").map((game) => game.split(":"));
      const shown = new Map(listed.map(([id = "", key]) => [id, key]));
      const gameIds = [...shown.keys()];
      const form = { actorId, formKey: formKeyOf(formKey), now: now() };
      return deleteGames(db, { gameIds, shown, ...form });
    },
    errors: {
      "not-found": "Nothing was deleted: these games are not there any more.",
      used: "Nothing was deleted: somebody has joined, or written about, one of them meanwhile.",
      changed: ({ games }) => {
        const named = games.map(({ title, date }) => `${title}, ${formatDay(date)}`);
        const have = named.length === 1 ? "has" : "have";
        const why = `${named.join("; ")} ${have} changed since this was shown. Look again.`;
        return `Nothing was deleted: ${why}`;
      },
    },
    done: ({ games }) => ({ to: "/admin/games", title: `${gamesText(games)} deleted` }),
  }),
);

export const meta = metaOf({ title: "Delete game" });

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

export default function DeleteGames({ loaderData, actionData }: Route.ComponentProps) {
  const { id, place, isInSeries, withFollowing, ids, games, button } = loaderData;
  const back = { to: `/admin/games/${id}`, label: "The game" };
  return (
    <AdminPage back={back} title="Delete game" about={place} className="grid max-w-2xl gap-6">
      {isInSeries && <ScopeTabs path={`/admin/games/${id}/delete`} withFollowing={withFollowing} />}
      {games.length === 0 && (
        <>
          <FormErrors result={actionData} />
          <p>Only games that nobody ever joined can be deleted. Cancel it instead.</p>
        </>
      )}
      {games.length > 0 && (
        <>
          <Part
            title={games.length === 1 ? "This game" : "These games"}
            about="Nobody ever joined, or waited."
          >
            <GameRows games={games} />
          </Part>
          <IntentForm intent="delete" hidden={{ games: ids }} result={actionData}>
            <FormKey />
            <p>
              {games.length === 1 ? "Its page" : "Their pages"} will no longer exist. This cannot be
              undone.
            </p>
            <div className="flex flex-wrap gap-3">
              <SubmitButton variant="danger" size="lg" pendingLabel="Deleting…">
                {button}
              </SubmitButton>
              <ButtonLink to={back.to} size="lg" variant="quiet">
                {games.length === 1 ? "Keep the game" : "Keep the games"}
              </ButtonLink>
            </div>
          </IntentForm>
        </>
      )}
    </AdminPage>
  );
}
