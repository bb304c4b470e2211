import { gamesText } from "#app/features/games/rules.ts";
import { cancelGames } from "#app/features/organise/bulk-cancellations.server.ts";
import { MOST_GAMES } from "#app/features/organise/cancel-games.server.ts";
import { cancelInput } from "#app/features/organise/input.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { formKeyOf, isId } from "#app/platform/ids.ts";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
import { notifiedText } from "./view.server.ts";

const CHANGED =
  "players have joined or left meanwhile, or the game has changed. The list above is as it is now.";

/** Cancels the games that the form showed, of one game's page or of a venue's. */
export const cancelShown = formAction(
  adminRow({
    ...{ failed: "Failed to cancel games", keep: ["message"], input: cancelInput },
    run: async ({ db, jobs, now, actor, params, input, fields: { games = "", formKey } }) => {
      const listed = games.split(",").map((game) => game.split(":"));
      const valid = listed.flatMap(([id = "", key = ""]) => (isId(id) ? [[id, key] as const] : []));
      const shown = new Map(valid.slice(0, MOST_GAMES));
      const form = { actor, ...input, formKey: formKeyOf(formKey), now: now() };
      const result = await cancelGames(db, jobs, { shown, named: params.gameId, ...form });
      const left = [
        result.played > 0 &&
          `${gamesText(result.played)} not, because there is a result or a check-in.`,
        result.closed > 0 &&
          `${gamesText(result.closed)} had begun, or had been cancelled or completed before.`,
      ].filter(Boolean);
      if (result.games > 0) return { ...result, left };
      return { ok: false, reason: result.changed > 0 ? "changed" : "none", left } as const;
    },
    errors: {
      changed: { title: "Please check again", formError: `Nothing was cancelled: ${CHANGED}` },
      none: ({ left }) =>
        left.length > 0
          ? ["Nothing was cancelled.", ...left].join(" ")
          : "There was nothing to cancel.",
    },
    done: ({ id, games, players, changed, isFinished, left }, { params: { gameId, venueId } }) =>
      // Its page names what is left, and follows the refunds.
      !isFinished || changed > 0 || left.length > 0
        ? { to: `/admin/games/cancellations/${id}` }
        : {
            to: gameId ? `/admin/games/${gameId}` : `/admin/venues/${venueId}`,
            title: `${gamesText(games)} cancelled`,
            description: notifiedText(players),
          },
  }),
);
