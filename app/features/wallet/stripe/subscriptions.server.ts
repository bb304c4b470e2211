import { sql } from "kysely";
import type Stripe from "stripe";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { SANDBOX_PATH } from "#app/platform/sandbox.ts";
import { findSoldPack } from "#app/features/wallet/packs.server.ts";
import { isRunning } from "#app/features/wallet/rules.ts";
import type { Effect, Invoice, SubscriptionState } from "./stripe-event.ts";

export interface Subscription {
  id: string;
  status: string;
  isEnding: boolean;
  periodEnd: Date | null;
  packId: string | null;
  packName: string | null;
  startedAt: Date | null;
  /** What a month of the pack grants and costs, as last paid; this may be a former price. */
  month: { creditsCents: number; priceCents: number } | null;
}

/** A player's running subscriptions; if there are none, the one that ended last. */
export async function listSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select subscription.id, status, cancel_at_period_end as "isEnding",
      current_period_end as "periodEnd", pack.id as "packId", pack_name as "packName",
      (select min(created_at) from payments where subscription_id = subscription.id) as "startedAt",
      case when paid is not null or pack.id is not null then json_build_object(
        'creditsCents', ${inCents(sql`coalesce(paid.credits_eur, total_credit_eur)`)},
        'priceCents', ${inCents(sql`coalesce(paid.amount_eur, price_eur)`)}
      ) end as month
    from subscriptions subscription join stripe_customers customer using (customer_id)
    left join credit_packs pack on pack.id = subscription.pack_id
    left join lateral (
      select credits_eur, amount_eur from payments
      where subscription_id = subscription.id and payments.pack_id = coalesce(pack.id, payments.pack_id)
      order by created_at desc limit 1
    ) paid on true
    where customer.user_id = ${userId} and status <> 'incomplete_expired'
    order by status = 'canceled', current_period_end desc nulls last, subscription.id
    limit 20`.execute(db);
  const live = rows.filter(({ status }) => status !== "canceled");
  return live.length > 0 ? live : rows.slice(0, 1);
}

/** Lists plans that renew, or are paid until their end. */
export async function listRunningPlans(db: Db, userId: string): Promise<Subscription[]> {
  return (await listSubscriptions(db, userId)).filter(({ status }) => isRunning(status));
}

/** Takes over a newer state; an ended one never comes back. Months that were paid for stay. */
export async function applySubscription(
  tx: Tx,
  subscription: SubscriptionState,
  at: Date,
): Promise<Effect> {
  const { id, customerId, status, isEnding, periodEnd, priceId } = subscription;
  const pack = await findSoldPack(tx, { priceId });
  // Stripe's times are whole seconds: what begins "incomplete" is "active" within the same one.
  await sql`
    insert into subscriptions (id, customer_id, status, cancel_at_period_end, current_period_end,
      pack_id, state_at)
    values (${id}, ${customerId}, ${status}, ${isEnding}, ${periodEnd}, ${pack?.id ?? null}, ${at})
    on conflict (id) do update set status = excluded.status,
      cancel_at_period_end = excluded.cancel_at_period_end,
      current_period_end = excluded.current_period_end,
      pack_id = coalesce(excluded.pack_id, subscriptions.pack_id), state_at = excluded.state_at
    where subscriptions.status not in ('canceled', 'incomplete_expired') and (
      excluded.status in ('canceled', 'incomplete_expired')
      or (excluded.state_at, excluded.status <> 'incomplete')
        >= (subscriptions.state_at, subscriptions.status <> 'incomplete')
    )`.execute(tx);
  return { matches: [] };
}

/** A subscription known only by a paid invoice is running; any state that Stripe sends is newer. */
export async function insertPaidSubscription(tx: Tx, invoice: Invoice): Promise<void> {
  const pack = await findSoldPack(tx, { priceId: invoice.priceIds[0] ?? null });
  await tx
    .insertInto("subscriptions")
    .values({
      id: invoice.subscriptionId,
      customer_id: invoice.customerId,
      status: "active",
      current_period_end: invoice.periodEnd,
      pack_id: pack?.id ?? null,
      state_at: new Date(0),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

interface Visit {
  db: Db;
  stripe: Stripe | null;
  appUrl: string;
  userId: string;
  subscriptionId: string | null;
}

/** Null if the player never was a customer. Throws Stripe's errors. */
export async function openPortal(visit: Visit): Promise<string | null> {
  const { stripe, appUrl } = visit;
  const customer = await findCustomer(visit);
  if (!customer) return null;
  if (!stripe) return `${appUrl}${SANDBOX_PATH}portal`;
  const return_url = `${appUrl}/wallet`;
  return (await stripe.billingPortal.sessions.create({ customer, return_url })).url;
}

// The subscription's customer; otherwise the newest with one that is not over (unpaid and paused ones
// are managed here too); otherwise the newest.
async function findCustomer({ db, userId, subscriptionId }: Visit): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from stripe_customers
    where user_id = ${userId}
    order by exists (
      select from subscriptions
      where subscriptions.customer_id = stripe_customers.customer_id
        and subscriptions.id = ${subscriptionId}
    ) desc, exists (
      select from subscriptions
      where subscriptions.customer_id = stripe_customers.customer_id
        and status not in ('canceled', 'incomplete_expired')
    ) desc, created_at desc, customer_id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
