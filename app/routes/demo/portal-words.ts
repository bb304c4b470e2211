import type { OwnPayment, OwnSubscription } from "#app/features/wallet/sandbox.server.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";
import { steerPayment } from "./payment-deeds.ts";
import type { Steerable } from "./portal-deeds.ts";
import { steerSubscription } from "./subscription-deeds.ts";

/** A subscription or a payment as the portal shows it. */
export interface PortalItem {
  id: string;
  state: string;
  name: string;
  facts: string;
  badge: { tone: "green" | "amber" | "red" | "neutral"; words: string };
  buttons: { intent: string; label: string }[];
}

export function showSubscription(own: OwnSubscription): PortalItem {
  const until = day(own.periodEnd);
  const price = `${euros(own.priceCents)} a month`;
  const shown = { ...buttonsOf(steerSubscription(own)), name: own.name };
  if (own.status === "canceled") {
    return { ...shown, facts: price, badge: { tone: "neutral", words: "Ended" } };
  }
  if (own.isEnding) {
    return { ...shown, facts: price, badge: { tone: "amber", words: `Ends ${until}` } };
  }
  const words = own.status === "active" ? "Active" : own.status.replaceAll("_", " ");
  return { ...shown, facts: `${price}, paid until ${until}`, badge: { tone: "green", words } };
}

export function showPayment(own: OwnPayment): PortalItem {
  const facts = `${euros(own.paidCents)}, ${day(own.createdAt)}`;
  return { ...buttonsOf(steerPayment(own)), name: own.name, facts, badge: paymentBadge(own) };
}

function paymentBadge({ paidCents, refundedCents, dispute }: OwnPayment): PortalItem["badge"] {
  if (dispute?.status === "lost") return { tone: "red", words: "Dispute lost" };
  if (dispute && dispute.status !== "won") return { tone: "red", words: "Disputed" };
  if (refundedCents >= paidCents) return { tone: "neutral", words: "Refunded" };
  if (refundedCents > 0) return { tone: "amber", words: `${euros(refundedCents)} refunded` };
  return { tone: "green", words: dispute ? "Dispute won" : "Paid" };
}

function buttonsOf({ id, state, deeds }: Steerable) {
  return { id, state, buttons: deeds.map(({ intent, label }) => ({ intent, label })) };
}

function day(instant: Date): string {
  return monthDayYear(helsinkiDate(instant));
}
