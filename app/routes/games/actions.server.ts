import { gamePath, holdTokenAt, isHoldToken } from "#app/features/friends/rules.ts";
import { joinGame, type JoinResult } from "#app/features/bookings/join-game.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import type { OverlappingGame } from "#app/features/waitlist/order.server.ts";
import { fail, formActions } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { monthDay } from "#app/platform/clock.ts";
import { creditsText } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { openPlans, oweText, type Plans } from "#app/routes/credits/plans.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import { friendForms } from "#app/routes/games/friends/actions.server.ts";
import { BELONGS_TO_WAITLIST } from "#app/routes/games/friends/view.server.ts";
import { shownIn } from "./shown.server.ts";
import type { Route } from "./+types/show";
import { type GameArgs, waitlistForms } from "#app/routes/games/waitlist/actions.server.ts";

type JoinFailure = Extract<JoinResult, { ok: false }>;
type Reason = JoinFailure["reason"];

/** `reason` is absent for unexpected errors and invalid forms. */
export interface FailedJoin extends FormResult {
  reason?: Reason;
  /** Set if there are too few credits. */
  plans?: Plans;
}

const JOIN_FAILED = "Failed to join game. Please try again.";

const JOIN = {
  failed: "Failed to join game",
  title: "Booking Error",
  formError: JOIN_FAILED,
  run: join,
};

const forms = formActions({ join: JOIN, "take-offer": JOIN, ...waitlistForms, ...friendForms });

export async function gameAction(args: Route.ActionArgs) {
  await requirePlayer(args.context, args.request, { to: "/auth", isForVisitors: true });
  return forms(args);
}

// Optional: `shown`, `priceShown` in credits, `formKey`, `overlap=ask` to be asked about another game then,
// and `hold`, the token of a spot that another player holds.
async function join({ request, params: { gameId }, context, form, fields }: GameArgs) {
  const app = context.get(appContext);
  const viewer = await requirePlayer(context, request, { to: "/auth", isForVisitors: true });
  const shown = shownIn(form);
  if (!shown) return fail<FailedJoin>(400, { formError: JOIN_FAILED });
  const result = await joinGame(app.db, app.jobs, {
    ...{ gameId, playerId: viewer.userId, now: app.now() },
    formKey: formKeyOf(form.get("formKey")),
    holdToken: fields.hold || undefined,
    takesOffer: fields.intent === "take-offer",
    asksOfOtherGame: fields.overlap === "ask",
    shown,
  });
  if (result.ok)
    return redirectWithToast(app.env, gamePath(gameId), joinedToast(result.priceCents));
  const { reason, news = "", priceCents = 0, wallet, otherGame } = result;
  if (otherGame) return fail<FailedJoin>(409, { reason, formError: otherGameText(otherGame) });
  const [status, formError] = JOIN_ERRORS[reason]({ news, priceCents, ...(wallet ?? NO_CREDITS) });
  if (reason !== "not-enough-credits") return fail<FailedJoin>(status, { reason, formError });
  const returnTo = gamePath(gameId, isHoldToken(fields.hold) ? fields.hold : null);
  // The locked wallet, since the session's may be older.
  const plans = await openPlans(app, { ...viewer, ...wallet }, { returnTo, priceCents });
  return fail<FailedJoin>(status, { reason, formError: withHeldUntil(formError, plans), plans });
}

/** It stands in place of the notice that says so. */
function withHeldUntil(error: string, plans: Plans): string {
  const game = "game" in plans ? plans.game : null;
  return holdTokenAt(game?.path) ? `${error} ${game!.note}` : error;
}

function joinedToast(priceCents: number) {
  const title = "Successfully joined!";
  if (priceCents === 0) return { title, description: "You're in. This one's free." };
  return { title, description: `You've joined the game for ${creditsText(priceCents)} credits!` };
}

function otherGameText({ venueName, date, startTime, endTime }: OverlappingGame): string {
  const times = `${clockTime(startTime)} – ${clockTime(endTime)}`;
  return `You are in another game at that time: ${venueName}, ${monthDay(date)}, ${times}.`;
}

const NO_CREDITS = { balanceCents: 0, debtCents: 0 };
type Facts = typeof NO_CREDITS & { news: string; priceCents: number };

const JOIN_ERRORS: Record<Reason, (facts: Facts) => [status: number, message: string]> = {
  "not-found": () => [404, "Game not found"],
  "not-published": () => [404, "This game is not open for joining."],
  "already-joined": () => [409, "You're already in this game."],
  started: () => [409, "This game has started. It can no longer be joined."],
  full: () => [409, "This game is full. Someone took the last spot."],
  "belongs-to-waitlist": () => [409, BELONGS_TO_WAITLIST],
  "no-offer": () => [409, "This offer is over. You are still on the waitlist."],
  "hold-taken": () => [409, "This spot is taken."],
  "hold-over": () => [409, "This spot is no longer held."],
  "form-used": () => [
    409,
    "You have left this game since you sent this form. " +
      "Nothing was booked: join again if you want to play.",
  ],
  changed: ({ news }) => [409, `${news} Nothing was booked: look again and join if that is fine.`],
  "plays-meanwhile": () => [409, "You are in another game at that time."],
  "not-enough-credits": (facts) => [402, creditsError(facts)],
  "account-gone": () => [403, "This account is deleted."],
  suspended: () => [403, "Your account is suspended."],
};

function creditsError({ priceCents, balanceCents, debtCents }: Facts): string {
  // Debt blocks free games too.
  if (debtCents > 0) {
    return `${oweText(debtCents)} The next credits you buy pay that first, then you can join again.`;
  }
  return (
    `This game costs ${creditsText(priceCents)} credits. You have ${creditsText(balanceCents)}, ` +
    `so you need ${creditsText(priceCents - balanceCents)} more.`
  );
}
