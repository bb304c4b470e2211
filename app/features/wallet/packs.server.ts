import { sql } from "kysely";
import type { Db } from "../../platform/db.server.ts";
import { isId } from "../../platform/ids.ts";
import { centsFromNumeric } from "../../platform/money.ts";
import { isMonthly } from "./rules.ts";

export interface Pack {
  id: string;
  name: string;
  priceCents: number;
  /** What a payment of it grants. */
  creditsCents: number;
  isMonthly: boolean;
  /** As stored: whether it may be followed is payment-link.ts' to say. */
  checkoutLink: string | null;
}

/** What is on sale, cheapest first (specification, section 7). */
export async function listActivePacks(db: Db): Promise<Pack[]> {
  const rows = await activePacks(db).orderBy("price_eur").orderBy("pack_key").execute();
  return rows.map(toPack);
}

/** A pack that is on sale; null for one that is not, and for what is no id. */
export async function findActivePack(db: Db, packId: unknown): Promise<Pack | null> {
  if (!isId(packId)) return null;
  const row = await activePacks(db).where("id", "=", packId).executeTakeFirst();
  return row ? toPack(row) : null;
}

/** Whether the player pays for a month already; one that is past due may still be paid. */
export async function hasMonthlyPlan(db: Db, userId: string): Promise<boolean> {
  const plan = await db
    .selectFrom("subscriptions")
    .innerJoin("stripe_customers", "stripe_customers.customer_id", "subscriptions.customer_id")
    .select(sql`1`.as("one"))
    .where("stripe_customers.user_id", "=", userId)
    .where("subscriptions.status", "in", ["active", "trialing", "past_due"])
    .executeTakeFirst();
  return plan !== undefined;
}

function activePacks(db: Db) {
  return db
    .selectFrom("credit_packs")
    .select(["id", "pack_key", "pack_name", "price_eur", "total_credit_eur"])
    .select("stripe_checkout_link")
    .where("is_active", "=", true);
}

type Row = Awaited<ReturnType<ReturnType<typeof activePacks>["executeTakeFirstOrThrow"]>>;

function toPack(row: Row): Pack {
  return {
    id: row.id,
    name: row.pack_name,
    priceCents: centsFromNumeric(row.price_eur),
    creditsCents: centsFromNumeric(row.total_credit_eur),
    isMonthly: isMonthly(row.pack_key),
    checkoutLink: row.stripe_checkout_link,
  };
}
