import { addPack, ANY_AMOUNT_PACK, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import type { PaymentJobs } from "#app/features/wallet/payments.server.ts";
import { applyStripeEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  invoice,
  charge,
  checkoutSession,
  dispute,
  event,
  monthFrom,
  type SentEvent,
  stripeId,
  subscription,
} from "#app/routes/demo/stripe-objects.ts";
import { NOW } from "./fixtures.ts";

export const PACK = "pay_per_game";
export const MONTHLY = "monthly_4";
export const secondsAt = (at: Date) => Math.floor(at.getTime() / 1_000);

/** The default packs and that of any amount, with the Stripe ids that the scenarios name. */
export async function somePacks(db: Db): Promise<void> {
  for (const pack of [...DEFAULT_PACKS, ANY_AMOUNT_PACK]) {
    const stripe_payment_link_id = `plink_${pack.pack_key}`;
    await addPack(db, {
      ...pack,
      stripe_payment_link_id,
      stripe_price_id: `price_${pack.pack_key}`,
    });
  }
}

/** Applies events one after the other, as the webhook does. */
export async function deliverEvents(
  { db, jobs }: { db: Db; jobs: PaymentJobs },
  events: SentEvent | SentEvent[],
  now = NOW,
) {
  const outcomes = [];
  for (const sent of [events].flat()) {
    outcomes.push(await applyStripeEvent(db, sent, { jobs, isLive: false, now }));
  }
  return outcomes;
}

type SessionFields = NonNullable<Parameters<typeof checkoutSession>[0]>;
type SubscriptionFields = Partial<Parameters<typeof subscription>[0]>;
type InvoiceFields = Partial<Parameters<typeof invoice>[0]>;

/** What waits to be matched, and why. */
export function unmatchedEvents(db: Db) {
  return db
    .selectFrom("stripe_events")
    .select(["id", "reason", "waits_for"])
    .where("status", "=", "parked")
    .execute();
}

/** A player's lots, in the order in which they were granted. */
export function lotsOf(db: Db, userId: string) {
  return db
    .selectFrom("credit_lots")
    .select(["source", "remaining_eur", "expires_at"])
    .where("user_id", "=", userId)
    .orderBy("seq")
    .execute();
}

/** A single pack, bought and paid: its session's event, and what may follow it. */
export function singlePurchase(userId: string | null, session: SessionFields = {}) {
  const object = checkoutSession({
    client_reference_id: userId,
    payment_link: `plink_${PACK}`,
    ...session,
  });
  const { id } = object;
  const ids = { id: stripeId("ch", id), payment_intent: stripeId("pi", id) };
  return {
    id,
    completed: event("checkout.session.completed", object),
    succeeded: event("checkout.session.async_payment_succeeded", object),
    unpaid: event("checkout.session.completed", { ...object, payment_status: "unpaid" }),
    failed: event("checkout.session.async_payment_failed", {
      ...object,
      payment_status: "unpaid",
    }),
    refunded: (cents: number) =>
      event("charge.refunded", charge({ ...ids, amount: 999, amount_refunded: cents })),
    disputed: (status: "won" | "lost" | "needs_response" | "warning_needs_response") =>
      event(
        status === "won" || status === "lost" ? "charge.dispute.closed" : "charge.dispute.created",
        dispute({ ...ids, id: stripeId("du", id), charge: ids.id, status }),
      ),
  };
}

/** A monthly pack, subscribed to at `start`: events of its months are numbered from 0. */
export function monthlyPurchase(
  userId: string | null,
  { id = stripeId("sub"), start = NOW, pack = MONTHLY, cents = 3_400 } = {},
) {
  const customerId = stripeId("cus", id);
  const priceId = `price_${pack}`;
  const period = (month: number) => {
    let current = monthFrom(secondsAt(start));
    for (let turn = 0; turn < month; turn += 1) current = monthFrom(current.end);
    return current;
  };
  const state = (month: number) => ({ id, priceId, customer: customerId, period: period(month) });
  const at = (month: number) => ({ created: period(month).start });
  return {
    id,
    userId,
    customerId,
    priceId,
    cents,
    period,
    completed: event(
      "checkout.session.completed",
      checkoutSession({
        id: stripeId("cs_test", id),
        mode: "subscription",
        client_reference_id: userId,
        payment_link: `plink_${pack}`,
        amount_total: cents,
      }),
      at(0),
    ),
    created: event("customer.subscription.created", subscription(state(0)), at(0)),
    updated: (month: number, fields: SubscriptionFields = {}) =>
      event(
        "customer.subscription.updated",
        subscription({ ...state(month), ...fields }),
        at(month),
      ),
    deleted: (month: number) =>
      event(
        "customer.subscription.deleted",
        subscription({ ...state(month), status: "canceled" }),
        at(month),
      ),
    invoiceId: (month: number) => stripeId("in", `${id}${month}`),
    paid: (month: number, fields: InvoiceFields = {}) =>
      event(
        "invoice.paid",
        invoice({
          id: stripeId("in", `${id}${month}`),
          customer: customerId,
          subscriptionId: id,
          priceId,
          amount_paid: cents,
          billing_reason: month === 0 ? "subscription_create" : "subscription_cycle",
          period: period(month),
          ...fields,
        }),
        at(month),
      ),
  };
}

/** Every order of some things. */
export function everyOrder<T>(things: T[]): T[][] {
  if (things.length < 2) return [things];
  return things.flatMap((thing, n) =>
    everyOrder(things.toSpliced(n, 1)).map((rest) => [thing, ...rest]),
  );
}

/** An invoice as the API sent it before 2025-03-31, with its payment intent and charge in it. */
export function olderInvoice(fields: Parameters<typeof invoice>[0]) {
  const { parent, lines, ...common } = invoice(fields);
  const data = lines.data.map(({ period }) => ({ period, price: { id: fields.priceId } }));
  return {
    ...common,
    charge: stripeId("ch", common.id),
    payment_intent: stripeId("pi", common.id),
    subscription: parent.subscription_details.subscription,
    lines: { ...lines, data },
  };
}
