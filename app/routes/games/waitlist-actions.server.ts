import { randomUUID } from "node:crypto";
import { joinWaitlist, leaveWaitlist } from "#app/features/bookings/join-waitlist.server.ts";
import { waitlistInput } from "#app/features/bookings/input.ts";
import { fail, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";
import { priceNow, readPriceShown } from "./price-shown.server.ts";

export type GameArgs = Route.ActionArgs & Posted;

/** For `formActions`, beside the join. */
export const waitlistForms = {
  wait: { failed: "Failed to join the waitlist", keep: ["mode", "until"], run: wait },
  "leave-waitlist": { failed: "Failed to leave the waitlist", run: leave },
};

/** `mode` and `until`, with an optional `priceShown` in credits and an optional `formKey`. */
async function wait({ request, params: { gameId }, context, form, fields }: GameArgs) {
  const app = context.get(appContext);
  const viewer = await requirePlayer(context, request, { to: "/auth", isForVisitors: true });
  const priceShownCents = readPriceShown(form);
  const { mode, until: untilHours } = parseForm(waitlistInput, fields);
  if (priceShownCents === null) return fail(400, { formError: WAIT_AGAIN });
  const result = await joinWaitlist(app.db, {
    ...{ gameId, playerId: viewer.userId, mode, untilHours, priceShownCents, now: app.now() },
    formKey: formKeyOf(form.get("formKey")) ?? randomUUID(),
  });
  if (result.ok) return redirectWithToast(app.env, `/events/${gameId}`, WAITING);
  const { reason, priceCents = 0 } = result;
  if (reason === "price-changed") {
    return fail(409, { formError: priceNow(priceCents) });
  }
  const [status, formError] = WAIT_ERRORS[reason];
  if (reason === "too-late") return fail(status, { fieldErrors: { until: formError } });
  return fail(status, { formError });
}

const WAIT_AGAIN = "The form was not complete. Please try again.";

const WAITING = {
  title: "You're on the waitlist",
  description: "Nothing is taken until a spot opens.",
};

const WAIT_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-published": [404, "This game is not open for joining."],
  "already-joined": [409, "You're already in this game."],
  "already-waiting": [409, "You're on the waitlist already."],
  started: [409, "This game has started. It can no longer be joined."],
  "not-full": [409, "This game has spots left. Join it right away."],
  "too-late": [409, "That time has passed. Choose a later one."],
  "form-used": [
    409,
    "You have left the waitlist since you sent this form. Send it again to wait once more.",
  ],
  suspended: [403, "Your account is suspended."],
} as const;

async function leave({ request, params: { gameId }, context }: GameArgs) {
  const app = context.get(appContext);
  const { userId: playerId } = await requirePlayer(context, request, { to: "/auth" });
  const result = await leaveWaitlist(app.db, app.jobs, { gameId, playerId, now: app.now() });
  if (!result.ok) {
    const [status, formError] = LEAVE_ERRORS[result.reason];
    return fail(status, { formError });
  }
  return redirectWithToast(app.env, `/events/${gameId}`, LEFT_WAITLIST);
}

export const LEFT_WAITLIST = { title: "You left the waitlist", description: "Nothing was taken." };

export const LEAVE_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-waiting": [409, "You are not on this waitlist any more."],
} as const;
