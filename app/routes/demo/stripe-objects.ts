import type Stripe from "stripe";

/**
 * Objects and events as Stripe's API sends them, without what nobody here reads. Every field can be
 * given under Stripe's own name. Amounts are cents, times are seconds.
 */

const API_VERSION: typeof Stripe.API_VERSION = "2026-10-28.endive";
const PREFIX = /^(cs_test|cs_live|cus|sub|si|in|il|inpay|pi|ch|du|evt|price|plink)_/;

/**
 * An id such as `pi_a1b2`. The seed is a name or another id, which then share what follows the
 * prefix; without one it is random.
 */
export function stripeId(prefix: string, seed: string = crypto.randomUUID()): string {
  return `${prefix}_${seed.replace(PREFIX, "").replaceAll(/[^A-Za-z0-9]/g, "")}`;
}

/** A completed checkout: of one payment, or with `mode: "subscription"` of a subscription. */
export function checkoutSession(fields: Partial<Stripe.Checkout.Session> = {}) {
  const id = fields.id ?? stripeId("cs_test");
  const isSubscription = fields.mode === "subscription";
  const amount = fields.amount_total ?? 999;
  return {
    id,
    object: "checkout.session",
    amount_subtotal: amount,
    amount_total: amount,
    client_reference_id: null,
    created: secondsNow(),
    currency: "eur",
    // A single payment by a link makes no customer.
    customer: isSubscription ? stripeId("cus", id) : null,
    customer_email: null,
    invoice: isSubscription ? stripeId("in", id) : null,
    livemode: false,
    metadata: {},
    mode: "payment",
    payment_intent: isSubscription ? null : stripeId("pi", id),
    payment_link: null,
    payment_method_types: ["card"],
    payment_status: "paid",
    status: "complete",
    subscription: isSubscription ? stripeId("sub", id) : null,
    success_url: null,
    ui_mode: "hosted_page",
    url: null,
    ...fields,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export interface Period {
  start: number;
  end: number;
}

type SubscriptionFields = Partial<Stripe.Subscription> & { priceId: string; period?: Period };

export function subscription({ priceId, period, ...fields }: SubscriptionFields) {
  const id = fields.id ?? stripeId("sub");
  const created = fields.created ?? secondsNow();
  const month = period ?? monthFrom(created);
  return {
    id,
    object: "subscription",
    billing_cycle_anchor: month.start,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: "charge_automatically",
    created,
    currency: "eur",
    customer: stripeId("cus", id),
    ended_at: null,
    latest_invoice: stripeId("in", id),
    livemode: false,
    metadata: {},
    start_date: month.start,
    status: "active",
    ...fields,
    items: list([subscriptionItem(id, priceId, month)]),
  } satisfies Listed<Stripe.Subscription, "items">;
}

export function customer(fields: Partial<Stripe.Customer> = {}) {
  return {
    id: stripeId("cus"),
    object: "customer",
    balance: 0,
    created: secondsNow(),
    currency: "eur",
    email: null,
    livemode: false,
    metadata: {},
    name: null,
    ...fields,
  } satisfies Partial<Stripe.Customer>;
}

/** A paid charge. `amount_refunded` is cumulative; older APIs name the `invoice` as well. */
export function charge(fields: Partial<Stripe.Charge> & { invoice?: string } = {}) {
  const id = fields.id ?? stripeId("ch");
  const { amount = 999, amount_refunded: refunded = 0 } = fields;
  return {
    id,
    object: "charge",
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    captured: true,
    created: secondsNow(),
    currency: "eur",
    customer: null,
    disputed: false,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: stripeId("pi", id),
    refunded: refunded === amount,
    status: "succeeded",
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
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: stripeId("pi", id),
    reason: "fraudulent",
    status: "needs_response",
    ...fields,
  } satisfies Partial<Stripe.Dispute>;
}

export type SentEvent = ReturnType<typeof event>;

/** An event about an object. */
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
    request: { id: null, idempotency_key: null },
    type,
    ...fields,
  };
}

// A list's items are objects of Stripe's too, of which only what is read is here.
export type Listed<T, Key extends keyof T> = Partial<Omit<T, Key>> &
  Record<Key, { data: object[] }>;

export function list<T>(items: T[]) {
  return { object: "list" as const, data: items, has_more: false, url: "" };
}

function subscriptionItem(subscriptionId: string, priceId: string, { start, end }: Period) {
  return {
    id: stripeId("si", subscriptionId),
    object: "subscription_item" as const,
    created: start,
    current_period_start: start,
    current_period_end: end,
    price: { id: priceId, object: "price", currency: "eur", type: "recurring" },
    quantity: 1,
    subscription: subscriptionId,
  };
}

/** A calendar month; what begins on a 31st ends on the last day of a shorter one. */
export function monthFrom(start: number): Period {
  const end = new Date(start * 1_000);
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + 1);
  if (end.getUTCDate() !== day) end.setUTCDate(0);
  return { start, end: end.getTime() / 1_000 };
}

export const secondsNow = () => seconds(new Date());

/** What an event is made of. */
export type EventParts = [type: SentEvent["type"], object: object];

/** The events of one action, named by its seed: an action that is repeated sends the same ones. */
export function seededEvents(seed: string, at: Date, parts: EventParts[]): SentEvent[] {
  const created = seconds(at);
  return parts.map(([type, object]) =>
    event(type, object, { id: stripeId("evt", `${seed}.${type}`), created }),
  );
}

/** Stripe's clock. */
export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
