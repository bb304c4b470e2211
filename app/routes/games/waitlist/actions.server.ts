import { randomUUID } from "node:crypto";
import {
  changePlace,
  joinWaitlist,
  leaveWaitlist,
  type LeaveResult,
} from "#app/features/waitlist/join-waitlist.server.ts";
import { WAITS_MAX } from "#app/features/waitlist/rules.ts";
import { fail, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import type { Route } from "../+types/show";
import { shownIn } from "#app/routes/games/shown.server.ts";
import { waitlistInput } from "#app/features/waitlist/input.ts";

export type GameArgs = Route.ActionArgs & Posted;

export const waitlistForms = {
  wait: { failed: "Failed to join the waitlist", keep: ["mode", "until"], run: wait },
  "change-wait": { failed: "Failed to change your place", keep: ["mode", "until"], run: wait },
  "leave-waitlist": { failed: "Failed to leave the waitlist", run: leave },
};

/** Takes `mode` and `until`, optionally `shown`, `priceShown` in credits and `formKey`. */
async function wait({ request, params: { gameId }, context, form, fields }: GameArgs) {
  const app = context.get(appContext);
  const viewer = await requirePlayer(context, request, { to: "/auth", isForVisitors: true });
  const shown = shownIn(form);
  const { mode, until: untilHours } = parseForm(waitlistInput, fields);
  if (!shown) return fail(400, { formError: WAIT_AGAIN });
  const isChange = fields.intent === "change-wait";
  const save = isChange ? changePlace : joinWaitlist;
  const result = await save(app.db, app.jobs, {
    ...{ gameId, playerId: viewer.userId, mode, untilHours, shown, now: app.now() },
    formKey: formKeyOf(form.get("formKey")) ?? randomUUID(),
  });
  if (result.ok)
    return redirectWithToast(app.env, `/events/${gameId}`, isChange ? CHANGED : WAITING);
  const { reason, news } = result;
  if (reason === "changed") {
    return fail(409, {
      formError: `${news} Nothing was saved: look again and agree if that is fine.`,
    });
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

const CHANGED = { title: "Changes saved", description: "You keep your place on the waitlist." };

const WAIT_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-published": [404, "This game is not open for joining."],
  "already-joined": [409, "You're already in this game."],
  "too-often": [
    409,
    `You have been on this waitlist ${WAITS_MAX} times. You can join the game when it has spots left.`,
  ],
  "already-waiting": [409, "You're on the waitlist already."],
  started: [409, "This game has started. It can no longer be joined."],
  "not-full": [409, "This game has spots left. Join it right away."],
  "too-late": [409, "That time has passed. Choose a later one."],
  "form-used": [409, "You have left since you sent this form. Send it again to wait once more."],
  "not-waiting": [409, "You are not on this waitlist any more."],
  offered: [409, "A spot is held for you: take it, or not, first."],
  suspended: [403, "Your account is suspended."],
} as const;

async function leave({ request, params: { gameId }, context, fields }: GameArgs) {
  const app = context.get(appContext);
  const { userId: playerId } = await requirePlayer(context, request, { to: "/auth" });
  const shown = readShown(fields.shown);
  const result = await leaveWaitlist(app.db, app.jobs, { gameId, playerId, shown, now: app.now() });
  if (!result.ok) return failLeave(result);
  return redirectWithToast(app.env, `/events/${gameId}`, LEFT_WAITLIST);
}

export const LEFT_WAITLIST = { title: "You left the waitlist", description: "Nothing was taken." };

export function failLeave({ reason, news }: Extract<LeaveResult, { ok: false }>) {
  if (reason === "changed") {
    return fail(409, { formError: `${news} You are still on the waitlist: look again.` });
  }
  const [status, formError] = LEAVE_ERRORS[reason];
  return fail(status, { formError });
}

const LEAVE_ERRORS = {
  "not-found": [404, "Game not found"],
  "not-waiting": [409, "You are not on this waitlist any more."],
} as const;
