import type { Pack } from "#app/features/wallet/packs.server.ts";
import { invoice, invoicePayment } from "./stripe-invoices.ts";
import {
  checkoutSession,
  customer,
  monthFrom,
  seconds,
  seededEvents,
  type SentEvent,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

interface Purchase {
  /** Names all events of the purchase, so that the same page paid twice is the same payment. */
  sessionId: string;
  pack: Pack;
  /** The player, where the link named one. */
  reference: string | null;
  email: string;
  at: Date;
}

/** A card that is charged at once. */
export function paid(purchase: Purchase) {
  return sessionEvent("checkout.session.completed", purchase);
}

/** The checkout is done; the money comes later, or not. */
export function ordered(purchase: Purchase) {
  return sessionEvent("checkout.session.completed", purchase, "unpaid");
}

export function bankConfirmed(purchase: Purchase) {
  return sessionEvent("checkout.session.async_payment_succeeded", purchase);
}

export function bankDeclined(purchase: Purchase) {
  return sessionEvent("checkout.session.async_payment_failed", purchase, "unpaid");
}

/** A subscription's start, in the worst order: the money first, and its owner last. */
export function subscribed(purchase: Purchase): SentEvent[] {
  const { sessionId, pack, email, at } = purchase;
  const created = seconds(at);
  const period = monthFrom(created);
  const [id, customerId] = [stripeId("in", sessionId), stripeId("cus", sessionId)];
  // Stripe always has one; that we have not stored it shows when the invoice arrives.
  const priceId = pack.priceId ?? `price_unknown_${pack.key}`;
  const month = { customer: customerId, priceId, period, created };
  const amount_paid = pack.priceCents;
  const running = subscription({ id: stripeId("sub", sessionId), ...month });
  const first = { id, subscriptionId: running.id, billing_reason: "subscription_create" } as const;
  return seededEvents(sessionId, at, [
    ["invoice.paid", invoice({ ...month, ...first, amount_paid })],
    ["invoice_payment.paid", invoicePayment({ invoice: id, amount_paid, created })],
    ["customer.subscription.created", running],
    ["customer.created", customer({ id: customerId, email, created })],
    ["checkout.session.completed", session(purchase)],
  ]);
}

function sessionEvent(
  type: SentEvent["type"],
  purchase: Purchase,
  payment_status: "paid" | "unpaid" = "paid",
): SentEvent[] {
  const parts = { ...session(purchase), payment_status };
  return seededEvents(purchase.sessionId, purchase.at, [[type, parts]]);
}

function session({ sessionId, pack, reference, email, at }: Purchase) {
  return checkoutSession({
    id: sessionId,
    amount_total: pack.priceCents,
    client_reference_id: reference,
    created: seconds(at),
    customer_email: email,
    mode: pack.isMonthly ? "subscription" : "payment",
    payment_link: pack.paymentLinkId,
  });
}
