import type { Pack } from "#app/features/wallet/packs.server.ts";
import { seconds, seededEvents, type Told } from "./seeded-events.ts";
import { invoice, invoicePayment } from "./stripe-invoices.ts";
import {
  checkoutSession,
  customer,
  monthFrom,
  type SentEvent,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

interface Purchase {
  /** Names all that comes of it, so that the same page paid twice is the same payment. */
  sessionId: string;
  pack: Pack;
  /** The player, where the link named one. */
  reference: string | null;
  email: string;
  at: Date;
}

/** A card that is charged at once. */
export function paid(purchase: Purchase): SentEvent[] {
  return tell(purchase, [["checkout.session.completed", session(purchase)]]);
}

/** The checkout is done; the money comes later, or not. */
export function ordered(purchase: Purchase): SentEvent[] {
  const object = { ...session(purchase), payment_status: "unpaid" };
  return tell(purchase, [["checkout.session.completed", object]]);
}

export function bankConfirmed(purchase: Purchase): SentEvent[] {
  return tell(purchase, [["checkout.session.async_payment_succeeded", session(purchase)]]);
}

export function bankRefused(purchase: Purchase): SentEvent[] {
  const object = { ...session(purchase), payment_status: "unpaid" };
  return tell(purchase, [["checkout.session.async_payment_failed", object]]);
}

/**
 * A subscription's start. Stripe promises no order, and the worst is sent here: the money first,
 * and last of all whose it is.
 */
export function subscribed(purchase: Purchase): SentEvent[] {
  const { sessionId, pack, email, at } = purchase;
  const created = seconds(at);
  const period = monthFrom(created);
  const [id, customerId] = [stripeId("in", sessionId), stripeId("cus", sessionId)];
  // Stripe always has one; that we have not stored it shows when the invoice arrives.
  const priceId = pack.priceId ?? `price_unknown_${pack.key}`;
  const month = { customer: customerId, priceId, period, created };
  const running = subscription({ id: stripeId("sub", sessionId), ...month });
  const bill = invoice({
    ...month,
    id,
    subscriptionId: running.id,
    amount_paid: pack.priceCents,
    billing_reason: "subscription_create",
  });
  return tell(purchase, [
    ["invoice.paid", bill],
    [
      "invoice_payment.paid",
      invoicePayment({ invoice: id, amount_paid: pack.priceCents, created }),
    ],
    ["customer.subscription.created", running],
    ["customer.created", customer({ id: customerId, email, created })],
    ["checkout.session.completed", session(purchase)],
  ]);
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

function tell({ sessionId, at }: Purchase, told: Told[]): SentEvent[] {
  return seededEvents(sessionId, at, told);
}
