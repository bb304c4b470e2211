import { sql } from "kysely";
import type Stripe from "stripe";
import type { Db } from "../../platform/db.server.ts";
import type { Env } from "../../platform/env.server.ts";
import { openStripe } from "../../platform/stripe.server.ts";

interface Visit {
  env: Pick<Env, "demo" | "stripeSecretKey" | "appUrl">;
  db: Db;
  userId: string;
  /** Where Stripe leads back to: an absolute address. */
  returnUrl: string;
  stripe?: Stripe;
}

/**
 * The address where a player manages or ends a subscription, at Stripe or in the sandbox. Null for
 * who never was a customer. Throws Stripe's errors.
 */
export async function openPortal({ env, db, userId, ...visit }: Visit): Promise<string | null> {
  const customer = await findCustomer(db, userId);
  if (!customer) return null;
  if (env.demo && !env.stripeSecretKey) return `${env.appUrl}/demo/checkout/portal`;
  const stripe = visit.stripe ?? openStripe(env.stripeSecretKey ?? "");
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    return_url: visit.returnUrl,
  });
  return portal.url;
}

/** The newest customer with a subscription that still runs, else the newest. */
async function findCustomer(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from stripe_customers
    where user_id = ${userId}
    order by exists (
      select from subscriptions
      where subscriptions.customer_id = stripe_customers.customer_id
        and status not in ('canceled', 'incomplete_expired')
    ) desc, created_at desc, customer_id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
