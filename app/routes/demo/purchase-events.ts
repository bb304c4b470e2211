import type { Pack } from "#app/features/wallet/packs.server.ts";
import {
  checkoutSession,
  customer,
  type EventParts,
  invoice,
  invoicePayment,
  monthFrom,
  seconds,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

interface Purchase {
  /** The seed of all event ids, so that a resubmitted form is one payment. */
  sessionId: string;
  pack: Pack;
  amountCents: number;
  /** The player, if the link names one. */
  reference: string | null;
  email: string;
  /** When the session was. */
  openedAt: Date;
  at: Date;
}

type Events = (purchase: Purchase) => EventParts[];

/** The events of each button for a single pack: paid at once or later. */
export const SINGLE_EVENTS = new Map<string, Events>([
  ["pay", (purchase) => [["checkout.session.completed", session(purchase)]]],
  ["pay-later", (purchase) => [["checkout.session.completed", session(purchase, "unpaid")]]],
  [
    "bank-confirms",
    (purchase) => [["checkout.session.async_payment_succeeded", session(purchase)]],
  ],
  [
    "bank-declines",
    (purchase) => [["checkout.session.async_payment_failed", session(purchase, "unpaid")]],
  ],
]);

export const MONTHLY_EVENTS = new Map<string, Events>([["subscribe", subscribed]]);

/** A subscription's start, in the worst order: the money first, and its owner last. */
function subscribed(purchase: Purchase): EventParts[] {
  const { sessionId, pack, amountCents: amount_paid, email, at } = purchase;
  const created = seconds(at);
  const period = monthFrom(created);
  const [id, customerId] = [stripeId("in", sessionId), stripeId("cus", sessionId)];
  // Stripe always has a price; without ours the invoice is unmatched.
  const priceId = pack.priceId ?? `price_unknown_${pack.key}`;
  const month = { customer: customerId, priceId, period, created };
  const running = subscription({ id: stripeId("sub", sessionId), ...month });
  const first = { id, subscriptionId: running.id, billing_reason: "subscription_create" } as const;
  return [
    ["invoice.paid", invoice({ ...month, ...first, amount_paid })],
    ["invoice_payment.paid", invoicePayment({ invoice: id })],
    ["customer.subscription.created", running],
    ["customer.created", customer({ id: customerId, email, created })],
    ["checkout.session.completed", session(purchase)],
  ];
}

function session(
  { sessionId, pack, amountCents, reference, email, openedAt }: Purchase,
  payment_status: "paid" | "unpaid" = "paid",
) {
  return checkoutSession({
    id: sessionId,
    amount_total: amountCents,
    client_reference_id: reference,
    created: seconds(openedAt),
    customer_email: email,
    mode: pack.isMonthly ? "subscription" : "payment",
    payment_link: pack.paymentLinkId,
    payment_status,
  });
}
