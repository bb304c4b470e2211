import type Stripe from "stripe";
import {
  list,
  type Listed,
  monthFrom,
  type Period,
  secondsNow,
  stripeId,
} from "./stripe-objects.ts";

type InvoiceFields = Partial<Stripe.Invoice> & {
  priceId: string;
  subscriptionId: string;
  period?: Period;
};

/** A paid invoice of a subscription's month; an `invoicePayment` says how it was paid. */
export function invoice({ priceId, subscriptionId, period, ...fields }: InvoiceFields) {
  const { id, created, amount_paid: amount, ...common } = paidInvoice(fields);
  const details = { metadata: {}, subscription: subscriptionId };
  const line = {
    ...invoiceLine({ id, amount, period: period ?? monthFrom(created) }),
    parent: {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscriptionId,
        subscription_item: stripeId("si", subscriptionId),
      },
    },
    pricing: {
      type: "price_details",
      price_details: { price: priceId, product: "prod_credits" },
      unit_amount_decimal: String(amount),
    },
  };
  return {
    customer: stripeId("cus", subscriptionId),
    ...common,
    id,
    created,
    amount_paid: amount,
    parent: { type: "subscription_details", quote_details: null, subscription_details: details },
    lines: list([line]),
  } satisfies Listed<Stripe.Invoice, "lines">;
}

/** The same as the API sent it before 2025-03-31, with its payment intent and charge in it. */
export function olderInvoice({ priceId, subscriptionId, period, ...fields }: InvoiceFields) {
  const { id, created, amount_paid: amount, ...common } = paidInvoice(fields);
  const line = {
    ...invoiceLine({ id, amount, period: period ?? monthFrom(created) }),
    type: "subscription",
    price: { id: priceId, object: "price", currency: "eur", type: "recurring" },
    proration: false,
    subscription: subscriptionId,
  };
  return {
    customer: stripeId("cus", subscriptionId),
    ...common,
    id,
    created,
    amount_paid: amount,
    charge: stripeId("ch", id),
    paid: true,
    payment_intent: stripeId("pi", id),
    subscription: subscriptionId,
    lines: list([line]),
  };
}

/** How an invoice was paid: by a payment intent that shares the invoice's seed. */
export function invoicePayment(fields: Partial<Stripe.InvoicePayment> & { invoice: string }) {
  const created = fields.created ?? secondsNow();
  const amount = fields.amount_paid ?? 3_400;
  return {
    id: stripeId("inpay", fields.invoice),
    object: "invoice_payment",
    amount_paid: amount,
    amount_requested: amount,
    created,
    currency: "eur",
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: stripeId("pi", fields.invoice) },
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: created },
    ...fields,
  } satisfies Partial<Stripe.InvoicePayment>;
}

function paidInvoice(fields: Partial<Stripe.Invoice>) {
  const amount = fields.amount_paid ?? 3_400;
  return {
    object: "invoice" as const,
    amount_due: amount,
    amount_remaining: 0,
    billing_reason: "subscription_cycle",
    currency: "eur",
    livemode: false,
    metadata: {},
    status: "paid",
    total: amount,
    ...fields,
    id: fields.id ?? stripeId("in"),
    created: fields.created ?? secondsNow(),
    amount_paid: amount,
  } satisfies Partial<Stripe.Invoice>;
}

function invoiceLine({ id, amount, period }: { id: string; amount: number; period: Period }) {
  return {
    id: stripeId("il", id),
    object: "line_item" as const,
    amount,
    currency: "eur",
    description: "Credits for a month",
    invoice: id,
    livemode: false,
    metadata: {},
    period,
    quantity: 1,
  };
}
