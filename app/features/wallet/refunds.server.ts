import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { RefundStatus } from "#app/platform/schema.ts";

/** The one writer of `refunds`: what organisers asked Stripe to pay back. Amounts are in the currency's
 * smallest unit. */
export interface AskedRefund {
  id: string;
  /** The checkout session or invoice. */
  objectId: string;
  paymentIntentId: string;
  amount: number;
  status: RefundStatus;
}

const refunds = (db: Db) =>
  db
    .selectFrom("refunds")
    .select(["id", "payment_intent_id as paymentIntentId", "status"])
    .select("stripe_object_id as objectId")
    .select(sql<number>`amount::float8`.as("amount"));

export const findRefund = (tx: Tx, id: string) =>
  refunds(tx).where("id", "=", id).executeTakeFirst();

/** One that Stripe has not answered: another form asks for it again, and not for a second one. */
export const findWaitingRefund = (tx: Tx, objectId: string, amount: number) =>
  refunds(tx)
    .where("stripe_object_id", "=", objectId)
    .where("amount", "=", amount)
    .where("status", "=", "asked")
    .executeTakeFirst();

/** What was asked for and has not failed. */
export async function sumRefunds(tx: Tx, objectId: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::float8 as sum from refunds
    where stripe_object_id = ${objectId} and status not in ('failed', 'canceled')`.execute(tx);
  return rows[0]!.sum;
}

interface NewRefund {
  refundId: string;
  objectId: string;
  paymentIntentId: string;
  userId: string | null;
  eventId?: string;
  amount: number;
  currency: string;
  now: Date;
}

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<void> {
  const { refundId: id, objectId, paymentIntentId, userId, eventId, amount, currency } = refund;
  const about = { stripe_object_id: objectId, payment_intent_id: paymentIntentId };
  const whose = { user_id: userId, event_id: eventId ?? null };
  await tx
    .insertInto("refunds")
    .values({ id, ...about, ...whose, amount, currency, asked_at: refund.now })
    .execute();
}

export async function storeRefund(
  db: Db,
  id: string,
  set: { status: RefundStatus; stripe_refund_id?: string },
) {
  const stored = db.updateTable("refunds").set(set).where("id", "=", id);
  // An event may have ended it meanwhile.
  await stored.where("status", "in", OPEN).execute();
}

const OPEN = ["asked", "pending", "requires_action"] as const;

export interface OpenRefund {
  id: string;
  paymentIntentId: string;
  stripeRefundId: string | null;
  askedAt: Date;
}

/** Not ended yet, as far as is known here; the oldest first. */
export function listOpenRefunds(db: Db): Promise<OpenRefund[]> {
  return db
    .selectFrom("refunds")
    .select(["id", "payment_intent_id as paymentIntentId", "asked_at as askedAt"])
    .select("stripe_refund_id as stripeRefundId")
    .where("status", "in", OPEN)
    .orderBy("asked_at")
    .execute();
}

/** Stripe knows of none: it may be asked for again. One that is answered, or asked for again, meanwhile
 * stays as it is. */
export async function endUnanswered(db: Db, { id, askedAt }: OpenRefund): Promise<void> {
  const ended = db.updateTable("refunds").set({ status: "failed" }).where("id", "=", id);
  await ended.where("status", "=", "asked").where("asked_at", "<=", askedAt).execute();
}

/** Another button may be about to ask Stripe again. */
export async function touchRefund(tx: Tx, id: string, now: Date): Promise<void> {
  const asked = tx.updateTable("refunds").set({ asked_at: now }).where("id", "=", id);
  await asked.where("status", "=", "asked").execute();
}

/** Whether an organiser refunded a payment that no player had: its event then waits for nobody. */
export async function isRefundOfUnmatched(tx: Tx, payment: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from refunds where event_id is not null
      and payment_intent_id = any(${payment}::text[]) limit 1`.execute(tx);
  return rows.length > 0;
}

/** Stripe could not pay it out after all. */
export async function markRefundFailed(tx: Tx, stripeRefundId: string): Promise<void> {
  const failed = tx.updateTable("refunds").set({ status: "failed" });
  await failed.where("stripe_refund_id", "=", stripeRefundId).execute();
}
