import { sql } from "kysely";
import type Stripe from "stripe";
import type { Db } from "#app/platform/db.server.ts";
import { SANDBOX_PATH } from "#app/platform/sandbox.ts";

interface Visit {
  db: Db;
  /** Null is the sandbox. */
  stripe: Stripe | null;
  appUrl: string;
  userId: string;
  /** Which of the player's subscriptions it is about: each was begun by a customer of its own. */
  subscriptionId: string | null;
}

/**
 * The address where a player manages or ends a subscription, at Stripe or in the sandbox. Null
 * where the player never was a customer. Throws Stripe's errors.
 */
export async function openPortal(visit: Visit): Promise<string | null> {
  const { stripe, appUrl } = visit;
  const customer = await findCustomer(visit);
  if (!customer) return null;
  if (!stripe) return `${appUrl}${SANDBOX_PATH}portal`;
  const return_url = `${appUrl}/wallet`;
  return (await stripe.billingPortal.sessions.create({ customer, return_url })).url;
}

/**
 * Whose subscription it is; else the newest customer with one that is not over, unpaid or paused
 * ones included, which are managed here too; else the newest.
 */
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
