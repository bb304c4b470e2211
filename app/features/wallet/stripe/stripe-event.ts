import { z } from "zod";
import { readReference } from "#app/features/wallet/rules.ts";
import type { UnmatchedReason } from "#app/platform/schema.ts";

/** What a Stripe event asks for here. Amounts are cents. */
export type StripeCommand =
  | { kind: "checkout"; session: Checkout }
  | { kind: "checkout-failed"; session: Checkout }
  | { kind: "invoice"; invoice: Invoice }
  | { kind: "invoice-payment"; invoiceId: string; references: string[] }
  | { kind: "subscription"; subscription: SubscriptionState }
  | { kind: "no-customer" }
  | { kind: "refund"; payment: string[]; refundedCents: number }
  | { kind: "refund-failed" }
  | { kind: "dispute"; payment: string[]; dispute: Dispute };

/** Done, with what unmatched events may now be matched by; or unmatched, and what it waits for. */
export type Effect = { matches: string[] } | { unmatched: UnmatchedReason; waitsFor?: string[] };

export interface EventMeta {
  eventId: string;
  at: Date;
  now: Date;
}

// In the shapes of Stripe's current API and of the one before 2025-03-31, which an endpoint may be
// pinned to. Null for irrelevant types; throws a ZodError where a field is missing.
export function readStripeEvent(event: {
  type: string;
  data: { object: unknown };
}): StripeCommand | null {
  const read = READERS.get(event.type);
  return read ? read(event.data.object) : null;
}

/** Whether an event can be stored at all: plain ids, a date of our age, reasonable nesting. */
export function isStorable(event: object): boolean {
  return envelope.safeParse(event).success && !isDeeperThan(DEEPEST, event);
}

export function objectIdOf(event: { data: { object: { id?: unknown } } }): string {
  return id.safeParse(event.data.object.id).data ?? "";
}

const DEEPEST = 100;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

// A map: an object has members of its own, such as "constructor".
const READERS = new Map<string, (object: unknown) => StripeCommand | null>([
  ["checkout.session.completed", readCheckout],
  ["checkout.session.async_payment_succeeded", readCheckout],
  ["checkout.session.async_payment_failed", readFailedCheckout],
  ["invoice.paid", readInvoice],
  ["invoice_payment.paid", readInvoicePayment],
  ["customer.subscription.created", readSubscription],
  ["customer.subscription.updated", readSubscription],
  ["customer.subscription.deleted", readSubscription],
  ["charge.refunded", readRefund],
  ["refund.failed", () => ({ kind: "refund-failed" })],
  ["charge.dispute.created", readDispute],
  ["charge.dispute.updated", readDispute],
  ["charge.dispute.closed", readDispute],
  ["charge.dispute.funds_withdrawn", readDispute],
  ["charge.dispute.funds_reinstated", readDispute],
]);

/** The events that a webhook endpoint must send; the handbook lists the same. */
export const EVENT_TYPES = [...READERS.keys()];

// What a column, an index and a date of PostgreSQL take, with room for all that Stripe sends.
const id = z.string().regex(/^[\x21-\x7e]{1,255}$/);
// A field that may be expanded holds the object instead of its id.
const reference = z
  .union([id, z.object({ id })])
  .nullish()
  .transform((value) => (typeof value === "object" ? (value?.id ?? null) : (value ?? null)));
const cents = z.number().int().min(0).max(999_999_999_999);
const seconds = z.number().int().min(0).max(99_999_999_999);
const instant = (value: number) => new Date(value * 1_000);
const envelope = z.object({ id, type: id, created: seconds });

const checkoutShape = z.object({
  id,
  mode: z.enum(["payment", "subscription", "setup"]),
  payment_status: z.string(),
  client_reference_id: z.string().nullish(),
  created: seconds.optional(),
  payment_link: reference,
  customer: reference,
  subscription: reference,
  payment_intent: reference,
  amount_total: cents.nullish(),
  currency: z.string().nullish(),
});

export type Checkout = ReturnType<typeof toCheckout>;

function readCheckout(object: unknown): StripeCommand | null {
  const session = checkoutShape.parse(object);
  return session.mode === "setup" ? null : { kind: "checkout", session: toCheckout(session) };
}

function readFailedCheckout(object: unknown): StripeCommand {
  return { kind: "checkout-failed", session: toCheckout(checkoutShape.parse(object)) };
}

function toCheckout(session: z.infer<typeof checkoutShape>) {
  return {
    id: session.id,
    isSubscription: session.mode === "subscription",
    isPaid: session.payment_status !== "unpaid",
    playerId: readReference(session.client_reference_id),
    openedAt: session.created === undefined ? null : instant(session.created),
    paymentLinkId: session.payment_link,
    customerId: session.customer,
    subscriptionId: session.subscription,
    // The payment intent, which refunds and disputes will name.
    references: known(session.payment_intent),
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? "",
  };
}

const buyerShape = z.object({
  // Null where Stripe has an account in place of a customer.
  customer: reference,
  parent: z
    .object({ subscription_details: z.object({ subscription: reference }).nullish() })
    .nullish(),
  subscription: reference,
});

const invoiceShape = z.object({
  id,
  currency: z.string(),
  amount_paid: cents,
  billing_reason: z.string().nullish(),
  payment_intent: reference,
  charge: reference,
  payments: z
    .object({
      data: z.array(z.object({ payment: z.object({ payment_intent: reference }) })).max(100),
    })
    .nullish(),
  lines: z.object({
    data: z
      .array(
        z.object({
          pricing: z.object({ price_details: z.object({ price: reference }).nullish() }).nullish(),
          price: reference,
          period: z.object({ end: seconds }).nullish(),
        }),
      )
      .min(1),
  }),
});

export type Invoice = ReturnType<typeof toInvoice>;

function readInvoice(object: unknown): StripeCommand | null {
  const { customer: customerId, parent, subscription } = buyerShape.parse(object);
  const subscriptionId = parent?.subscription_details?.subscription ?? subscription;
  // An invoice written by hand sells no credits, and may have no lines.
  if (!subscriptionId) return null;
  if (!customerId) return { kind: "no-customer" };
  return { kind: "invoice", invoice: toInvoice(object, { subscriptionId, customerId }) };
}

function toInvoice(object: unknown, buyer: { subscriptionId: string; customerId: string }) {
  const invoice = invoiceShape.parse(object);
  const lines = invoice.lines.data;
  const ends = lines.flatMap(({ period }) => period?.end ?? []);
  return {
    ...buyer,
    id: invoice.id,
    reason: invoice.billing_reason ?? "",
    priceIds: lines.map((line) => line.pricing?.price_details?.price ?? line.price ?? ""),
    amountCents: invoice.amount_paid,
    currency: invoice.currency,
    periodEnd: ends.length > 0 ? instant(Math.max(...ends)) : null,
    references: known(
      invoice.payment_intent,
      invoice.charge,
      ...(invoice.payments?.data ?? []).map(({ payment }) => payment.payment_intent),
    ),
  };
}

const invoicePaymentShape = z.object({
  invoice: reference.pipe(id),
  payment: z.object({ payment_intent: reference }),
});

function readInvoicePayment(object: unknown): StripeCommand {
  const { invoice, payment } = invoicePaymentShape.parse(object);
  return { kind: "invoice-payment", invoiceId: invoice, references: known(payment.payment_intent) };
}

const subscriptionShape = z.object({
  id,
  status: id,
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: seconds.nullish(),
  current_period_end: seconds.nullish(),
  items: z
    .object({
      data: z.array(
        z.object({ price: z.object({ id }).nullish(), current_period_end: seconds.nullish() }),
      ),
    })
    .nullish(),
});

export type SubscriptionState = ReturnType<typeof toSubscriptionState>;

function readSubscription(object: unknown): StripeCommand {
  const { customer } = buyerShape.pick({ customer: true }).parse(object);
  if (!customer) return { kind: "no-customer" };
  return { kind: "subscription", subscription: toSubscriptionState(object, customer) };
}

function toSubscriptionState(object: unknown, customerId: string) {
  const subscription = subscriptionShape.parse(object);
  const item = subscription.items?.data[0];
  const end = item?.current_period_end ?? subscription.current_period_end;
  return {
    id: subscription.id,
    customerId,
    status: subscription.status,
    isEnding: Boolean(subscription.cancel_at_period_end) || Boolean(subscription.cancel_at),
    periodEnd: end ? instant(end) : null,
    priceId: item?.price?.id ?? null,
  };
}

const refundShape = z.object({
  id,
  amount_refunded: cents,
  payment_intent: reference,
  invoice: reference,
});

function readRefund(object: unknown): StripeCommand {
  const charge = refundShape.parse(object);
  const payment = known(charge.payment_intent, charge.id, charge.invoice);
  return { kind: "refund", payment, refundedCents: charge.amount_refunded };
}

const disputeShape = z.object({
  id,
  amount: cents.positive(),
  currency: z.string().nullish(),
  status: id,
  charge: reference,
  payment_intent: reference,
});

export interface Dispute {
  id: string;
  /** Null where the bank took another currency: then it is about the whole payment. */
  amountCents: number | null;
  status: string;
}

function readDispute(object: unknown): StripeCommand {
  const { id, amount, status, ...dispute } = disputeShape.parse(object);
  const isEuro = (dispute.currency ?? "eur").toLowerCase() === "eur";
  return {
    kind: "dispute",
    payment: known(dispute.payment_intent, dispute.charge),
    dispute: { id, amountCents: isEuro ? amount : null, status },
  };
}

function known(...ids: (string | null)[]): string[] {
  return ids.filter((id) => id !== null);
}
