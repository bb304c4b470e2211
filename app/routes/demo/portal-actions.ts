import type { OwnPayment, OwnSubscription } from "#app/features/wallet/sandbox.server.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import { invoice, invoicePayment } from "./stripe-invoices.ts";
import {
  charge,
  dispute,
  type EventParts,
  monthFrom,
  seconds,
  seededEvents,
  type SentEvent,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

/** A subscription or a payment, with what Stripe would let happen to it now. */
interface Actionable {
  id: string;
  /** As it is now; a form that was made for another state does nothing. */
  state: string;
  actions: { intent: string; label: string; events(at: Date): SentEvent[] }[];
}

/** A subscription or a payment as the portal shows it. */
export type PortalItem = ReturnType<typeof toItemView>;

type Badge = { tone: BadgeTone; text: string };

export function toSubscriptionView(own: OwnSubscription): PortalItem {
  const until = dayOf(own.periodEnd);
  const price = `${euros(own.priceCents)} a month`;
  const view = (facts: string, badge: Badge) =>
    toItemView(subscriptionActions(own), { name: own.name, facts, badge });
  if (own.status === "canceled") return view(price, { tone: "neutral", text: "Ended" });
  if (own.isEnding) return view(price, { tone: "amber", text: `Ends ${until}` });
  const text = own.status === "active" ? "Active" : own.status.replaceAll("_", " ");
  return view(`${price}, paid until ${until}`, { tone: "green", text });
}

export function toPaymentView(own: OwnPayment): PortalItem {
  const facts = `${euros(own.paidCents)}, ${dayOf(own.createdAt)}`;
  return toItemView(paymentActions(own), { name: own.name, facts, badge: paymentBadge(own) });
}

function toItemView(
  { id, state, actions }: Actionable,
  facts: { name: string; facts: string; badge: Badge },
) {
  return { ...facts, id, state, buttons: actions.map(({ intent, label }) => ({ intent, label })) };
}

function paymentBadge({ paidCents, refundedCents, dispute: own }: OwnPayment): Badge {
  if (own?.status === "lost") return { tone: "red", text: "Dispute lost" };
  if (own && own.status !== "won") return { tone: "red", text: "Disputed" };
  if (refundedCents >= paidCents) return { tone: "neutral", text: "Refunded" };
  if (refundedCents > 0) return { tone: "amber", text: `${euros(refundedCents)} refunded` };
  return { tone: "green", text: own ? "Dispute won" : "Paid" };
}

const dayOf = (instant: Date) => monthDayYear(helsinkiDate(instant));

export function subscriptionActions(own: OwnSubscription): Actionable {
  const { id, status, isEnding, periodEnd } = own;
  const state = `${status}-${isEnding ? "ending" : "going"}-${seconds(periodEnd)}`;
  if (status === "canceled") return actionsOf(id, state, []);
  const changes = isEnding ? [] : [renew(own), cancelAtPeriodEnd(own)];
  return actionsOf(id, state, [...changes, cancelNow(own)]);
}

/** A disputed charge cannot be refunded, and this sandbox's bank disputes a payment once. */
export function paymentActions(own: OwnPayment): Actionable {
  const { id, paidCents, refundedCents } = own;
  const state = `${refundedCents}-${own.dispute?.status ?? "fine"}`;
  if (own.dispute?.status === "lost") return actionsOf(id, state, []);
  if (own.dispute && own.dispute.status !== "won") {
    return actionsOf(id, state, [winDispute(own), loseDispute(own)]);
  }
  if (refundedCents >= paidCents) return actionsOf(id, state, []);
  const half = Math.min(paidCents, refundedCents + Math.ceil(paidCents / 2));
  const refunds = [
    refund(own, "refund", "Refund", paidCents),
    refund(own, "refund-half", "Refund half", half),
  ];
  return actionsOf(id, state, own.dispute ? refunds : [...refunds, openDispute(own)]);
}

type Change = [intent: string, label: string, parts: (created: number) => EventParts[]];

/** The events are named by item, state and button, so that two posts of one page send the same. */
function actionsOf(id: string, state: string, changes: Change[]): Actionable {
  const actions = changes.map(([intent, label, parts]) => ({
    ...{ intent, label },
    events: (at: Date) => seededEvents(`${id}.${state}.${intent}`, at, parts(seconds(at))),
  }));
  return { id, state, actions };
}

/** The next month, paid at once instead of on its first day. */
function renew(own: OwnSubscription): Change {
  const { id, customerId: customer, priceId, priceCents: amount_paid, periodEnd } = own;
  const period = monthFrom(seconds(periodEnd));
  const month = { customer, priceId, period };
  const billId = stripeId("in", `${id}${period.start}`);
  return [
    ...(["renew", "Renew now"] as const),
    (created) => [
      ["invoice.paid", invoice({ ...month, id: billId, subscriptionId: id, amount_paid, created })],
      ["customer.subscription.updated", subscription({ ...month, id, created })],
      ["invoice_payment.paid", invoicePayment({ invoice: billId, amount_paid, created })],
    ],
  ];
}

function cancelAtPeriodEnd(own: OwnSubscription): Change {
  const end = { cancel_at_period_end: true, cancel_at: seconds(own.periodEnd) };
  return [
    ...(["cancel-at-period-end", "Cancel at period end"] as const),
    (created) => [
      ["customer.subscription.updated", subscription({ ...current(own, created), ...end })],
    ],
  ];
}

function cancelNow(own: OwnSubscription): Change {
  const parts = (created: number): EventParts[] => {
    const ended = { status: "canceled", canceled_at: created, ended_at: created } as const;
    return [
      ["customer.subscription.deleted", subscription({ ...current(own, created), ...ended })],
    ];
  };
  return ["cancel-now", "Cancel now", parts];
}

function current({ id, customerId, priceId, periodEnd }: OwnSubscription, created: number) {
  const period = { start: created, end: seconds(periodEnd) };
  return { id, customer: customerId, priceId, created, period };
}

/** `amount_refunded` is all that has gone back then, as Stripe counts it. */
function refund(own: OwnPayment, intent: string, label: string, amount_refunded: number): Change {
  const { id, paymentIntentId: payment_intent, paidCents: amount } = own;
  const refunded = charge({ id: stripeId("ch", id), payment_intent, amount, amount_refunded });
  return [intent, label, () => [["charge.refunded", refunded]]];
}

function openDispute(own: OwnPayment): Change {
  const opened = disputeOf(own, "needs_response");
  const parts: EventParts[] = [
    ["charge.dispute.created", opened],
    ["charge.dispute.funds_withdrawn", opened],
  ];
  return ["dispute", "Dispute", () => parts];
}

function winDispute(own: OwnPayment): Change {
  const won = disputeOf(own, "won");
  const parts: EventParts[] = [
    ["charge.dispute.closed", won],
    ["charge.dispute.funds_reinstated", won],
  ];
  return ["win-dispute", "Win dispute", () => parts];
}

function loseDispute(own: OwnPayment): Change {
  const lost = disputeOf(own, "lost");
  return ["lose-dispute", "Lose dispute", () => [["charge.dispute.closed", lost]]];
}

function disputeOf(own: OwnPayment, status: "needs_response" | "won" | "lost") {
  return dispute({
    id: own.dispute?.id ?? stripeId("du", own.id),
    charge: stripeId("ch", own.id),
    payment_intent: own.paymentIntentId,
    amount: own.dispute?.amountCents ?? own.paidCents - own.refundedCents,
    status,
  });
}
