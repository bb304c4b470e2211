import type Stripe from "stripe";
import type { OwnPayment, OwnSubscription } from "#app/features/wallet/stripe/sandbox.server.ts";
import type { Pack } from "#app/features/wallet/packs.server.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import {
  charge,
  dispute,
  type EventParts,
  invoice,
  invoicePayment,
  monthFrom,
  seconds,
  seededEvents,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

export interface PortalItem {
  id: string;
  name: string;
  facts: string;
  badge: { tone: BadgeTone; text: string };
  /** The current state; a form made for another state does nothing. */
  state: string;
  changes: PortalButton[];
}

interface PortalButton {
  intent: string;
  label: string;
  parts: (created: number) => EventParts[];
}

/** Ids are made of item, state and button, so that a resubmitted form sends the same events. */
export function eventsOf({ id, state }: PortalItem, { intent, parts }: PortalButton, at: Date) {
  return seededEvents(`${id}.${state}.${intent}`, at, parts(seconds(at)));
}

/** `packs` are those on sale, to change to. */
export function subscriptionItem(own: OwnSubscription, packs: Pack[]): PortalItem {
  const { id, name, status, isEnding, periodEnd, stateAt } = own;
  // Includes the time: a plan may be changed back and forth.
  const state = `${status}-${isEnding ? "ending" : "going"}-${seconds(periodEnd)}-${seconds(stateAt)}`;
  const price = `${euros(own.priceCents)} a month`;
  const until = dayOf(periodEnd);
  const item = { id, name, state, facts: price };
  if (status === "canceled") {
    return { ...item, badge: { tone: "neutral", text: "Ended" }, changes: [] };
  }
  if (isEnding) {
    return { ...item, badge: { tone: "amber", text: `Ends ${until}` }, changes: [cancelNow(own)] };
  }
  const text = status === "active" ? "Active" : status.replaceAll("_", " ");
  return {
    ...item,
    facts: `${price}, paid until ${until}`,
    badge: { tone: "green", text },
    changes: [
      renew(own),
      ...packs.flatMap((pack) => changePlan(own, pack) ?? []),
      cancelAtPeriodEnd(own),
      cancelNow(own),
    ],
  };
}

export function paymentItem(own: OwnPayment): PortalItem {
  const { id, name, paidCents, refundedCents, dispute: disputed } = own;
  const state = `${refundedCents}-${disputed?.status ?? "fine"}`;
  const facts = `${euros(paidCents)}, ${dayOf(own.createdAt)}`;
  return { id, name, state, facts, ...paymentStatus(own) };
}

/** A disputed charge cannot be refunded, and this sandbox's bank disputes a payment once. */
function paymentStatus(own: OwnPayment): Pick<PortalItem, "badge" | "changes"> {
  const { paidCents, refundedCents } = own;
  if (own.dispute?.status === "lost") {
    return { badge: { tone: "red", text: "Dispute lost" }, changes: [] };
  }
  if (own.dispute && own.dispute.status !== "won") {
    const changes = [
      disputed(own, "win-dispute", "Win dispute", WON),
      disputed(own, "lose-dispute", "Lose dispute", LOST),
    ];
    return { badge: { tone: "red", text: "Disputed" }, changes };
  }
  if (refundedCents >= paidCents) {
    return { badge: { tone: "neutral", text: "Refunded" }, changes: [] };
  }
  const half = Math.min(paidCents, refundedCents + Math.ceil(paidCents / 2));
  const changes = [
    refund(own, "refund", "Refund", paidCents),
    refund(own, "refund-half", "Refund half", half),
    ...(own.dispute ? [] : [disputed(own, "dispute", "Dispute", OPENED)]),
  ];
  if (refundedCents > 0) {
    return { badge: { tone: "amber", text: `${euros(refundedCents)} refunded` }, changes };
  }
  return { badge: { tone: "green", text: own.dispute ? "Dispute won" : "Paid" }, changes };
}

const dayOf = (instant: Date) => monthDayYear(helsinkiDate(instant));

/** The next month, paid now instead of on its first day. */
function renew(own: OwnSubscription): PortalButton {
  const { id, customerId: customer, priceId, priceCents: amount_paid, periodEnd } = own;
  const period = monthFrom(seconds(periodEnd));
  const month = { customer, priceId, period };
  const billId = stripeId("in", `${id}${period.start}`);
  const parts = (created: number): EventParts[] => [
    ["invoice.paid", invoice({ ...month, id: billId, subscriptionId: id, amount_paid, created })],
    ["customer.subscription.updated", subscription({ ...month, id, created })],
    ["invoice_payment.paid", invoicePayment({ invoice: billId })],
  ];
  return { intent: "renew", label: "Renew now", parts };
}

/** From the next renewal on; this month stays as paid. */
function changePlan(
  own: OwnSubscription,
  { key, name, isMonthly, priceId }: Pack,
): PortalButton | null {
  if (!isMonthly || !priceId || priceId === own.priceId) return null;
  return {
    intent: `change-to-${key}`,
    label: `Change to ${name}`,
    parts: (created) => [
      ["customer.subscription.updated", current({ ...own, priceId }, created, {})],
    ],
  };
}

function cancelAtPeriodEnd(own: OwnSubscription): PortalButton {
  const end = { cancel_at_period_end: true, cancel_at: seconds(own.periodEnd) };
  return {
    intent: "cancel-at-period-end",
    label: "Cancel at period end",
    parts: (created) => [["customer.subscription.updated", current(own, created, end)]],
  };
}

function cancelNow(own: OwnSubscription): PortalButton {
  const end = { status: "canceled" } as const;
  return {
    intent: "cancel-now",
    label: "Cancel now",
    parts: (created) => [["customer.subscription.deleted", current(own, created, end)]],
  };
}

function current(own: OwnSubscription, created: number, fields: Partial<Stripe.Subscription>) {
  const { id, customerId: customer, priceId, periodEnd } = own;
  const period = { start: created, end: seconds(periodEnd) };
  return subscription({ id, customer, priceId, created, period, ...fields });
}

/** `amount_refunded` is cumulative, as at Stripe. */
function refund(
  own: OwnPayment,
  intent: string,
  label: string,
  amount_refunded: number,
): PortalButton {
  const { id, paymentIntentId: payment_intent, paidCents: amount } = own;
  const refunded = charge({ id: stripeId("ch", id), payment_intent, amount, amount_refunded });
  return { intent, label, parts: () => [["charge.refunded", refunded]] };
}

type Dispute = {
  status: "needs_response" | "won" | "lost";
  events: ("created" | "closed" | "funds_withdrawn" | "funds_reinstated")[];
};

function disputed(own: OwnPayment, intent: string, label: string, change: Dispute): PortalButton {
  const object = dispute({
    id: own.dispute?.id ?? stripeId("du", own.id),
    charge: stripeId("ch", own.id),
    payment_intent: own.paymentIntentId,
    amount: own.dispute?.amountCents ?? own.paidCents - own.refundedCents,
    status: change.status,
  });
  const parts = () => change.events.map((name): EventParts => [`charge.dispute.${name}`, object]);
  return { intent, label, parts };
}

const OPENED: Dispute = { status: "needs_response", events: ["created", "funds_withdrawn"] };
const WON: Dispute = { status: "won", events: ["closed", "funds_reinstated"] };
const LOST: Dispute = { status: "lost", events: ["closed"] };
