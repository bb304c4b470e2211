import { invoice, invoicePayment } from "./stripe-invoices.ts";
import {
  checkoutSession,
  customer,
  event,
  monthFrom,
  type SentEvent,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

export interface Purchase {
  /** Names all that comes of it, so that the same page paid twice is the same payment. */
  sessionId: string;
  pack: { priceCents: number; isMonthly: boolean; paymentLinkId: string | null; priceId: string };
  /** The player, where the link named one. */
  reference: string | null;
  email: string;
  at: Date;
}

type Told = [type: Parameters<typeof event>[0], object: object];

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
  const month = { customer: customerId, priceId: pack.priceId, period, created };
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
  return told.map(([type, object]) => {
    const id = stripeId("evt", `${sessionId}.${type}`);
    return event(type, object, { id, created: seconds(at) });
  });
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
