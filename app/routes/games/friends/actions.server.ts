import { randomUUID } from "node:crypto";
import { redirect } from "react-router";
import { giveBackHold, holdSpot } from "#app/features/friends/holds.server.ts";
import { HOLDS_AT_ONCE_MAX } from "#app/features/friends/rules.ts";
import { fail } from "#app/forms/form-action.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import { BELONGS_TO_WAITLIST, TOO_MANY } from "./view.server.ts";
import type { GameArgs } from "#app/routes/games/waitlist/actions.server.ts";

export const friendForms = {
  hold: { failed: "Failed to hold a spot", run: hold },
  "give-back": { failed: "Failed to give the spot back", run: giveBack },
};

/** Takes an optional `formKey`. The page then shows the link. */
async function hold({ request, params: { gameId }, context, form, fields }: GameArgs) {
  const app = context.get(appContext);
  const { userId: playerId } = await requirePlayer(context, request, { to: "/auth" });
  const result = await holdSpot(app.db, app.jobs, {
    ...{ gameId, playerId, now: app.now() },
    formKey: formKeyOf(form.get("formKey")) ?? randomUUID(),
    shown: readShown(fields.shown),
  });
  if (result.ok) return redirect(`/events/${gameId}#friends`);
  const { reason, news } = result;
  if (reason === "changed")
    return fail(409, { formError: `${news} No spot was held: look again.` });
  const [status, formError] = HOLD_ERRORS[reason];
  return fail(status, { formError });
}

const TOO_MANY_GAMES = `You hold spots in ${HOLDS_AT_ONCE_MAX} other games already. Hold one here once a friend has taken one of them, or give one back.`;

const HOLD_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-published": [404, "This game is not open for joining."],
  suspended: [403, "Your account is suspended."],
  "not-in": [403, "Join this game first, then hold a spot for a friend."],
  "held-already": [409, "You hold a spot in this game already."],
  "too-many": [409, TOO_MANY],
  "too-many-games": [409, TOO_MANY_GAMES],
  "too-late": [409, "It is too late to hold a spot in this game."],
  "somebody-waits": [409, BELONGS_TO_WAITLIST],
  full: [409, "This game is full. Someone took the last spot."],
  "form-used": [409, "This form was sent before. Send it again to hold a spot."],
} as const;

async function giveBack({ request, params: { gameId }, context, fields }: GameArgs) {
  const app = context.get(appContext);
  const { userId: playerId } = await requirePlayer(context, request, { to: "/auth" });
  const shown = readShown(fields.shown);
  const result = await giveBackHold(app.db, app.jobs, { gameId, playerId, shown, now: app.now() });
  if (result.ok) return redirectWithToast(app.env, `/events/${gameId}#friends`, GIVEN_BACK);
  const [status, formError] = GIVE_BACK_ERRORS[result.reason];
  return fail(status, { formError });
}

const GIVEN_BACK = { title: "Spot given back", description: "The link no longer works." };

const GIVE_BACK_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-held": [409, "You no longer hold a spot in this game."],
} as const;
