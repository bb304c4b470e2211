import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { RUNNING } from "./rules.ts";

export interface Subscription {
  id: string;
  /** Stripe's word for its state. */
  status: string;
  /** Whether it ends with the month that is paid for. */
  isEnding: boolean;
  periodEnd: Date | null;
  /** Null where its price is none of ours. */
  packName: string | null;
  /** What a month grants and costs: as it was paid last, which may be a former price. */
  month: { creditsCents: number; priceCents: number } | null;
}

interface Row {
  id: string;
  status: string;
  isEnding: boolean;
  periodEnd: Date | null;
  packName: string | null;
  credits: string | null;
  price: string | null;
}

/** A player's subscriptions that go on; where none does, the one that ended last. */
export async function listSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  const { rows } = await sql<Row>`
    select subscription.id, status, cancel_at_period_end as "isEnding",
      current_period_end as "periodEnd", pack_name as "packName",
      coalesce(paid.credits_eur, total_credit_eur) as credits,
      coalesce(paid.amount_eur, price_eur) as price
    from subscriptions subscription join stripe_customers customer using (customer_id)
    left join credit_packs pack on pack.id = subscription.pack_id
    left join lateral (
      select credits_eur, amount_eur from payments where subscription_id = subscription.id
      order by created_at desc limit 1
    ) paid on true
    where customer.user_id = ${userId} and status <> 'incomplete_expired'
    order by status = 'canceled', current_period_end desc nulls last, subscription.id
    limit 20`.execute(db);
  const live = rows.filter(({ status }) => status !== "canceled");
  return (live.length > 0 ? live : rows.slice(0, 1)).map(toSubscription);
}

/** Whether the player pays for a month already. */
export async function hasMonthlyPlan(db: Db, userId: string): Promise<boolean> {
  const plan = await db
    .selectFrom("subscriptions")
    .innerJoin("stripe_customers", "stripe_customers.customer_id", "subscriptions.customer_id")
    .select(sql`1`.as("one"))
    .where("stripe_customers.user_id", "=", userId)
    .where("subscriptions.status", "in", RUNNING)
    .executeTakeFirst();
  return plan !== undefined;
}

function toSubscription({ credits, price, ...subscription }: Row): Subscription {
  const month =
    credits && price
      ? { creditsCents: centsFromNumeric(credits), priceCents: centsFromNumeric(price) }
      : null;
  return { ...subscription, month };
}
