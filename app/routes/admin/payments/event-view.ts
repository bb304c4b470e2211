import type { Pack } from "#app/features/wallet/packs.server.ts";
import type { UnmatchedEvent } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import type { Assigned } from "#app/features/wallet/stripe/take-back-assignment.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import type { UnmatchedReason } from "#app/platform/schema.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { creditsCount, euros, moneyText } from "#app/platform/money.ts";

/** Formats times on the server, in Helsinki time. */
export function toEventView(event: UnmatchedEvent, env: Pick<Env, "demo" | "stripeSecretKey">) {
  const { id, objectId, receivedAt, reason, paid, playerEmail, packId, needsPack } = event;
  const isFree = reason === "wrong-amount" && paid?.amountCents === 0;
  // The column may hold any text, even "constructor".
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : UNKNOWN_REASON;
  const [why, todo] = isFree ? NOTHING_PAID : known;
  return {
    id,
    kind: kindOf(event),
    amount: paid && moneyText(paid),
    received: formatMoment(receivedAt),
    objectId: objectId || id,
    why,
    todo,
    // The sandbox has no dashboard.
    dashboard: isSandbox(env) ? null : event.dashboard,
    refund: paid !== null && paid.amountCents > 0 && reason !== "mode" && event.isSale,
    assign: event.canAssign ? { email: playerEmail ?? "", packId: packId ?? "", needsPack } : null,
  };
}

export type EventView = ReturnType<typeof toEventView>;

export function toPackChoice(pack: Pack) {
  const { id, name, creditsCents, priceCents, isActive, isAnyAmount } = pack;
  if (isAnyAmount) return [id, `${name}: as many as were paid`] as const;
  const label = `${name}: ${creditsCount(creditsCents)}, ${euros(priceCents)}`;
  return [id, isActive ? label : `${label} (not on sale)`] as const;
}

export function toAssignedView({ id, playerId, name, assignedAt, ...given }: Assigned) {
  const { amountCents, packName, creditsCents } = given;
  return {
    ...{ id, playerId, name, when: formatMoment(assignedAt) },
    amount: euros(amountCents),
    became: `${creditsCount(creditsCents)}, ${packName}`,
  };
}
export type AssignedView = ReturnType<typeof toAssignedView>;

export function totalText({ count, cents }: { count: number; cents: number }): string {
  if (count === 0) return "No card payment arrived in the last 30 days.";
  const [payments, were] = count === 1 ? ["payment", "was"] : ["payments", "were"];
  return `${count} ${payments} of ${euros(cents)} in all ${were} credited in the last 30 days.`;
}

function kindOf({ type, canAssign, needsPack, paid }: UnmatchedEvent): string {
  if (type.startsWith("checkout.session.")) {
    // An unreadable event may be of either kind.
    if (!paid) return "Payment";
    return canAssign && !needsPack ? "New subscription" : "Single payment";
  }
  if (type === "invoice.paid") return "Month of a subscription";
  if (type === "charge.refunded" || type.startsWith("refund.")) return "Refund";
  return type.startsWith("charge.dispute.") ? "Dispute" : type;
}

type Explanation = [why: string, todo: string];

const REASONS: Record<UnmatchedReason, Explanation> = {
  mode: [
    "A test payment reached the live site, or the other way round.",
    "No credits belong to it here: set it aside. If more of them come, have the site's Stripe keys checked.",
  ],
  unreadable: [
    "Stripe's message lacks something that is needed to understand it.",
    "Ask the people who run the site to look at it, then try again.",
  ],
  "unknown-player": [
    "The payment does not say which player paid. The payment link was probably opened from outside the site.",
    "Look up the payer's email at Stripe and enter the player's here.",
  ],
  "another-player": [
    "This Stripe customer already belongs to another player than the one who subscribed.",
    "Find out at Stripe who pays. Only the player whom the customer belongs to can be entered here.",
  ],
  "no-customer": [
    "Stripe names an account as the subscriber, and no customer: this site knows its players' subscriptions by their customers only.",
    "Look up who pays at Stripe. Correct the player's balance by the credits of the month, then set it aside.",
  ],
  "unknown-customer": [
    "Nobody knows yet whose subscription this is.",
    "It settles itself when Stripe says who subscribed, mostly within minutes. If it stays, look up the payer's email at Stripe.",
  ],
  "unknown-pack": [
    "What was bought is none of the packs of this site.",
    "Choose the pack that comes nearest, or have the pack's Stripe ids corrected and try again.",
  ],
  "wrong-amount": [
    "What was paid is not the price of the pack.",
    "Give the credits of the pack that fits, or refund the payment at Stripe and set it aside.",
  ],
  "not-a-month": [
    "This invoice is not for one whole month, but for a change to a subscription.",
    "Look at the invoice at Stripe. If credits are due, choose the pack; if not, set it aside.",
  ],
  "unknown-payment": [
    "Money went back for a payment that was never credited here.",
    "If that payment is in this list, settle it first: this one follows by itself. If not, set it aside.",
  ],
  "refund-failed": [
    "Stripe could not pay this refund out; its credits are already taken back.",
    "Pay the player back in another way or give the credits again, then set it aside.",
  ],
};

const NOTHING_PAID: Explanation = [
  "Nothing was paid, probably thanks to a discount code.",
  "A payment of nothing gives no credits: set it aside.",
];

const UNKNOWN_REASON: Explanation = [
  "It could not be matched.",
  "Ask the people who run the site to look at it, then try again.",
];
