import type { OwnPayment } from "#app/features/wallet/sandbox.server.ts";
import { deed, type PortalDeed, type Steerable } from "./portal-deeds.ts";
import { charge, dispute, stripeId } from "./stripe-objects.ts";

/** A disputed charge cannot be refunded, and this sandbox's bank disputes a payment once. */
export function steerPayment(own: OwnPayment): Steerable {
  const state = `${own.refundedCents}-${own.dispute?.status ?? "fine"}`;
  const steered = { id: own.id, state };
  return { ...steered, deeds: deedsOf(steered, own) };
}

type Steered = Omit<Steerable, "deeds">;

function deedsOf(steered: Steered, own: OwnPayment): PortalDeed[] {
  const { paidCents, refundedCents } = own;
  if (own.dispute?.status === "lost") return [];
  if (own.dispute && own.dispute.status !== "won")
    return [winning(steered, own), losing(steered, own)];
  if (refundedCents >= paidCents) return [];
  const half = Math.min(paidCents, refundedCents + Math.ceil(paidCents / 2));
  const refunds = [
    refund(steered, own, ["refund", "Refund"], paidCents),
    refund(steered, own, ["refund-half", "Refund half"], half),
  ];
  return own.dispute ? refunds : [...refunds, opening(steered, own)];
}

/** `refundedCents` is all that has gone back then, as Stripe counts it. */
function refund(
  steered: Steered,
  { id, paymentIntentId, paidCents }: OwnPayment,
  name: [intent: string, label: string],
  refundedCents: number,
): PortalDeed {
  const refunded = charge({
    id: stripeId("ch", id),
    payment_intent: paymentIntentId,
    amount: paidCents,
    amount_refunded: refundedCents,
  });
  return deed(steered, name, () => [["charge.refunded", refunded]]);
}

function opening(steered: Steered, own: OwnPayment): PortalDeed {
  const opened = disputed(own, "needs_response");
  return deed(steered, ["dispute", "Dispute"], () => [
    ["charge.dispute.created", opened],
    ["charge.dispute.funds_withdrawn", opened],
  ]);
}

function winning(steered: Steered, own: OwnPayment): PortalDeed {
  const won = disputed(own, "won");
  return deed(steered, ["win-dispute", "Win dispute"], () => [
    ["charge.dispute.closed", won],
    ["charge.dispute.funds_reinstated", won],
  ]);
}

function losing(steered: Steered, own: OwnPayment): PortalDeed {
  const lost = disputed(own, "lost");
  return deed(steered, ["lose-dispute", "Lose dispute"], () => [["charge.dispute.closed", lost]]);
}

function disputed(own: OwnPayment, status: "needs_response" | "won" | "lost") {
  return dispute({
    id: own.dispute?.id ?? stripeId("du", own.id),
    charge: stripeId("ch", own.id),
    payment_intent: own.paymentIntentId,
    amount: own.dispute?.amountCents ?? own.paidCents - own.refundedCents,
    status,
  });
}
