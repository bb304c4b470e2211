import type Stripe from "stripe";

// Stripe's API objects and events, without fields that nobody here reads. Every field can be set
// under Stripe's own name. Amounts are cents, times are seconds.

const API_VERSION: typeof Stripe.API_VERSION = "2026-10-28.endive";
const PREFIX = /^(cs_test|cs_live|cus|sub|si|in|il|inpay|pi|ch|du|evt|price|plink)_/;

// An id such as `pi_a1b2`. Ids from one seed (a name, or another id) share all after the prefix;
// without a seed it is random.
export function stripeId(prefix: string, seed: string = crypto.randomUUID()): string {
  return `${prefix}_${seed.replace(PREFIX, "").replaceAll(/[^A-Za-z0-9]/g, "")}`;
}

/** A completed checkout: of one payment, or with `mode: "subscription"` of a subscription. */
export function checkoutSession(fields: Partial<Stripe.Checkout.Session> = {}) {
  const id = fields.id ?? stripeId("cs_test");
  const isSubscription = fields.mode === "subscription";
  return {
    id,
    object: "checkout.session",
    amount_total: 999,
    client_reference_id: null,
    created: secondsNow(),
    currency: "eur",
    // A single payment by a link makes no customer.
    customer: isSubscription ? stripeId("cus", id) : null,
    customer_email: null,
    invoice: isSubscription ? stripeId("in", id) : null,
    mode: "payment",
    payment_intent: isSubscription ? null : stripeId("pi", id),
    payment_link: null,
    payment_status: "paid",
    status: "complete",
    subscription: isSubscription ? stripeId("sub", id) : null,
    ...fields,
  } satisfies Partial<Stripe.Checkout.Session>;
}

interface Period {
  start: number;
  end: number;
}

type SubscriptionFields = Partial<Stripe.Subscription> & { priceId: string; period?: Period };

export function subscription({ priceId, period, ...fields }: SubscriptionFields) {
  const id = fields.id ?? stripeId("sub");
  const created = fields.created ?? secondsNow();
  const { start, end } = period ?? monthFrom(created);
  return {
    id,
    object: "subscription" as const,
    cancel_at: null,
    cancel_at_period_end: false,
    created,
    customer: stripeId("cus", id),
    status: "active",
    ...fields,
    items: list([{ price: { id: priceId }, current_period_start: start, current_period_end: end }]),
  };
}

export function customer(fields: Partial<Stripe.Customer> = {}) {
  return {
    id: stripeId("cus"),
    object: "customer",
    created: secondsNow(),
    email: null,
    ...fields,
  } satisfies Partial<Stripe.Customer>;
}

type InvoiceFields = Partial<Stripe.Invoice> & {
  priceId: string;
  subscriptionId: string;
  period?: Period;
};

/** A paid invoice of a subscription's month; an `invoicePayment` says how it was paid. */
export function invoice({ priceId, subscriptionId, period, ...fields }: InvoiceFields) {
  const created = fields.created ?? secondsNow();
  const pricing = { type: "price_details", price_details: { price: priceId } };
  return {
    object: "invoice" as const,
    amount_paid: 3_400,
    billing_reason: "subscription_cycle",
    created,
    currency: "eur",
    customer: stripeId("cus", subscriptionId),
    status: "paid",
    ...fields,
    id: fields.id ?? stripeId("in"),
    parent: {
      type: "subscription_details",
      subscription_details: { subscription: subscriptionId },
    },
    lines: list([{ period: period ?? monthFrom(created), pricing }]),
  };
}

/** How an invoice was paid: by a payment intent that shares the invoice's seed. */
export function invoicePayment(fields: Partial<Stripe.InvoicePayment> & { invoice: string }) {
  return {
    id: stripeId("inpay", fields.invoice),
    object: "invoice_payment",
    payment: { type: "payment_intent", payment_intent: stripeId("pi", fields.invoice) },
    status: "paid",
    ...fields,
  } satisfies Partial<Stripe.InvoicePayment>;
}

/** A paid charge. `amount_refunded` is cumulative; older APIs name the `invoice` as well. */
export function charge(fields: Partial<Stripe.Charge> & { invoice?: string } = {}) {
  const id = fields.id ?? stripeId("ch");
  return {
    id,
    object: "charge",
    amount: 999,
    amount_refunded: 0,
    created: secondsNow(),
    currency: "eur",
    payment_intent: stripeId("pi", id),
    ...fields,
  } satisfies Partial<Stripe.Charge>;
}

/** A dispute of a charge, waiting for a response unless a status is given. */
export function dispute(fields: Partial<Stripe.Dispute> = {}) {
  const id = fields.id ?? stripeId("du");
  return {
    id,
    object: "dispute",
    amount: 999,
    charge: stripeId("ch", id),
    created: secondsNow(),
    currency: "eur",
    payment_intent: stripeId("pi", id),
    status: "needs_response",
    ...fields,
  } satisfies Partial<Stripe.Dispute>;
}

export type SentEvent = ReturnType<typeof event>;

export function event(
  type: Stripe.Event["type"],
  object: object,
  fields: { id?: string; created?: number; livemode?: boolean } = {},
) {
  return {
    id: stripeId("evt"),
    object: "event" as const,
    api_version: API_VERSION,
    created: secondsNow(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    type,
    ...fields,
  };
}

export type EventParts = [type: SentEvent["type"], object: object];

/** Named by their seed: a repeated action sends the same events. */
export function seededEvents(seed: string, at: Date, parts: EventParts[]): SentEvent[] {
  const created = seconds(at);
  return parts.map(([type, object]) =>
    event(type, object, { id: stripeId("evt", `${seed}.${type}`), created }),
  );
}

const list = <T>(data: T[]) => ({ object: "list" as const, data, has_more: false });

/** A calendar month; one that begins on a 31st ends on the last day of a shorter month. */
export function monthFrom(start: number): Period {
  const end = new Date(start * 1_000);
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + 1);
  if (end.getUTCDate() !== day) end.setUTCDate(0);
  return { start, end: end.getTime() / 1_000 };
}

const secondsNow = () => seconds(new Date());

export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
