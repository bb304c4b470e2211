import { sql } from "kysely";
import { type Db, inCents, insertRows, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { replaceEarlierMonths } from "./expire-lots.server.ts";
import { credit, lockLiveAccount } from "./ledger.server.ts";
import type { Lot } from "./lots.server.ts";
import { creditsFor, findSoldPack, type Pack } from "./packs.server.ts";
import { bindPayment } from "./intentions.server.ts";
import { applyUnpaidCheckout, endPaid } from "./pending-payments.server.ts";
import { expiryOfLateCredits } from "./rules.ts";
import type {
  Checkout,
  Effect,
  EventMeta,
  Invoice,
} from "#app/features/wallet/stripe/stripe-event.ts";
import { insertPaidSubscription } from "#app/features/wallet/stripe/subscriptions.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "payment.join": { holdId: string };
  }
}

/** For what a payment queues on its transaction. */
export type PaymentJobs = Pick<Jobs, "enqueue" | "enqueueAll" | "enqueueEmails">;

/** Grants a single pack once it is paid. A subscription is granted by its invoices alone. */
export async function applyCheckout(
  tx: Tx,
  jobs: PaymentJobs,
  session: Checkout,
  meta: EventMeta,
): Promise<Effect> {
  const { now } = meta;
  if (!session.isSubscription) {
    if (!session.isPaid) return applyUnpaidCheckout(tx, session, meta);
    await endPaid(tx, session.id, now);
  }
  if (session.subscriptionId) await saveReferences(tx, session.subscriptionId, [session.id]);
  const { playerId: userId, openedAt } = session;
  if (!userId || !(await lockLiveAccount(tx, userId))) return { unmatched: "unknown-player" };
  if (session.isSubscription) {
    const { subscriptionId: sessionId } = session;
    if (sessionId) await bindPayment(tx, { userId, sessionId, openedAt, isPaid: false, now });
    return saveCustomer(tx, session.customerId, userId);
  }
  const pack = await findSoldPack(tx, { paymentLinkId: session.paymentLinkId });
  if (!pack || pack.isMonthly) return { unmatched: "unknown-pack" };
  if (!isPrice(pack, session)) return { unmatched: "wrong-amount" };
  const { id, amountCents, references } = session;
  await grantPayment(tx, jobs, { id, userId, pack, amountCents, openedAt }, now);
  return { matches: await saveReferences(tx, id, references) };
}

const MONTHS = ["subscription_create", "subscription_cycle", "subscription", ""];

export async function applyInvoice(
  tx: Tx,
  jobs: PaymentJobs,
  invoice: Invoice,
  now: Date,
): Promise<Effect> {
  const { id, amountCents, customerId } = invoice;
  await insertPaidSubscription(tx, invoice);
  const matches = await saveReferences(tx, id, invoice.references);
  if (!MONTHS.includes(invoice.reason) || invoice.priceIds.length !== 1) {
    return { unmatched: "not-a-month" };
  }
  const pack = await findSoldPack(tx, { priceId: invoice.priceIds[0]! });
  if (!pack || !pack.isMonthly) return { unmatched: "unknown-pack" };
  if (!isPrice(pack, invoice)) return { unmatched: "wrong-amount" };
  const userId = await findCustomerOwner(tx, customerId);
  if (!userId) return { unmatched: "unknown-customer", waitsFor: [`customer:${customerId}`] };
  const month = monthOf(invoice, now);
  await grantPayment(tx, jobs, { id, userId, pack, amountCents, month }, now);
  return { matches };
}

const MONTH_MS = 30 * 86_400_000;

export function monthOf({ subscriptionId, periodEnd, reason }: Invoice, now: Date) {
  const isRenewal = reason === "subscription_cycle";
  return { subscriptionId, periodEnd: periodEnd ?? new Date(now.getTime() + MONTH_MS), isRenewal };
}

function isPrice(pack: Pack, paid: { amountCents: number; currency: string }): boolean {
  const isPaid = pack.isAnyAmount ? paid.amountCents > 0 : paid.amountCents === pack.priceCents;
  return isPaid && paid.currency.toLowerCase() === "eur";
}

interface PaidObject {
  id: string;
  userId: string;
  pack: Pack;
  amountCents: number;
  /** When its payment link was opened. */
  openedAt?: Date | null;
  month?: { subscriptionId: string; periodEnd: Date; isRenewal?: boolean };
}

/** Grants the credits of what was paid, once; false when they were granted before. */
export async function grantPayment(
  tx: Tx,
  jobs: PaymentJobs,
  paid: PaidObject,
  now: Date,
): Promise<boolean> {
  const { id, userId, pack, amountCents, month } = paid;
  const creditsCents = creditsFor(pack, amountCents);
  const payment = await tx
    .insertInto("payments")
    .values({
      stripe_object_id: id,
      user_id: userId,
      pack_id: pack.id,
      amount_eur: numericFromCents(amountCents),
      credits_eur: numericFromCents(creditsCents),
      subscription_id: month?.subscriptionId ?? null,
    })
    // One whose assignment was taken back is given again.
    .onConflict((conflict) =>
      conflict
        .column("stripe_object_id")
        .doUpdateSet((eb) => ({
          user_id: eb.ref("excluded.user_id"),
          pack_id: eb.ref("excluded.pack_id"),
          credits_eur: eb.ref("excluded.credits_eur"),
          subscription_id: eb.ref("excluded.subscription_id"),
          assignments: sql<number>`payments.assignments + 1`,
        }))
        .where("payments.user_id", "is", null),
    )
    .returning(["id", "ledger_key"])
    .executeTakeFirst();
  if (!payment) return false;
  const entry = { userId, amountCents: creditsCents, notes: pack.name };
  const booked = { ...entry, businessKey: payment.ledger_key };
  await credit(tx, "topup", booked, { ...lotOf(month, now), paymentId: payment.id });
  if (month) await replaceEarlierMonths(tx, month.subscriptionId, now);
  await jobs.enqueueEmails(tx, "purchase", [{ paymentId: payment.id }]);
  await queueJoin(tx, jobs, paid, now);
  return true;
}

function lotOf(month: PaidObject["month"], now: Date): Lot {
  if (!month) return { source: "pack" };
  const { subscriptionId, periodEnd } = month;
  const expiresAt = expiryOfLateCredits(periodEnd, now);
  return { source: "subscription", subscriptionId, periodEnd, expiresAt };
}

/** A renewal is no answer to a button that was pressed for a game. */
async function queueJoin(tx: Tx, jobs: PaymentJobs, paid: PaidObject, now: Date) {
  const { id, userId, month, openedAt } = paid;
  if (month?.isRenewal) return;
  const sessionId = month?.subscriptionId ?? id;
  const holdId = await bindPayment(tx, { userId, sessionId, openedAt, isPaid: true, now });
  if (holdId) await jobs.enqueue(tx, "payment.join", { holdId }, { isUrgent: true });
}

/** Stores whose a Stripe customer is; one that belongs to somebody else stays unmatched. */
export async function saveCustomer(
  tx: Tx,
  customerId: string | null,
  userId: string,
): Promise<Effect> {
  if (!customerId) return { unmatched: "no-customer" };
  await tx
    .insertInto("stripe_customers")
    .values({ customer_id: customerId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await findCustomerOwner(tx, customerId)) !== userId) return { unmatched: "another-player" };
  return { matches: [`customer:${customerId}`] };
}

/** Null also for a deleted account: an admin has to see that it is still paid for. */
export async function findCustomerOwner(tx: Tx, customerId: string): Promise<string | null> {
  const customer = await tx
    .selectFrom("stripe_customers")
    .innerJoin("profiles", "profiles.user_id", "stripe_customers.user_id")
    .select("profiles.user_id")
    .where("customer_id", "=", customerId)
    .where("deleted_at", "is", null)
    .forUpdate("profiles")
    .executeTakeFirst();
  return customer?.user_id ?? null;
}

/** Stores the payment intents and charges of a payment, for refunds and disputes. */
export async function saveReferences(tx: Tx, objectId: string, references: string[]) {
  if (references.length > 0) {
    const rows = [...new Set(references)].map((id) => ({ id, stripe_object_id: objectId }));
    await insertRows(tx, "payment_references", rows)
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ stripe_object_id: objectId }))
      .execute();
  }
  const known = await tx
    .selectFrom("payment_references")
    .select("id")
    .where("stripe_object_id", "=", objectId)
    .execute();
  return [objectId, ...known.map(({ id }) => id)].map((id) => `payment:${id}`);
}

/** Null where no event has named it: Stripe's API refunds payment intents, not sessions or invoices. */
export async function findPaymentIntent(
  tx: Db,
  objectId: string,
  references: string[] = [],
): Promise<string | null> {
  const known = tx.selectFrom("payment_references").select("id");
  const rows = await known.where("stripe_object_id", "=", objectId).orderBy("id").execute();
  const ids = [...references, ...rows.map(({ id }) => id)];
  return ids.find((id) => id.startsWith("pi_")) ?? null;
}

export async function findPaymentId(tx: Tx, ids: string[]): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from payments where user_id is not null and (
      stripe_object_id = any(${ids}::text[]) or stripe_object_id in (
        select stripe_object_id from payment_references where id = any(${ids}::text[])
      )
    ) limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

export type Arrival =
  | { state: "waiting" | "unconfirmed" | "failed" | "unmatched" | "settled" }
  | { state: "arrived"; paymentId: string; creditsCents: number; balanceCents: number };

export type ArrivalState = Arrival["state"];

interface Session {
  userId: string;
  sessionId: string;
}

export async function findArrival(db: Db, session: Session): Promise<Arrival> {
  const payment = await arrivals(db)
    .select("payments.user_id as userId")
    .where("stripe_object_id", "=", session.sessionId)
    .executeTakeFirst();
  if (payment) {
    const { userId, ...arrived } = payment;
    return userId === session.userId ? { state: "arrived", ...arrived } : { state: "waiting" };
  }
  const events = await listEvents(db, session);
  if (events.some(({ status }) => status === "parked")) return { state: "unmatched" };
  if (events.some(({ status }) => status === "resolved")) return { state: "settled" };
  const hasType = (type: string) => events.some((event) => event.type === type);
  if (hasType("checkout.session.async_payment_failed")) return { state: "failed" };
  if (!hasType("checkout.session.completed")) return { state: "waiting" };
  return findFirstMonth(db, session);
}

function listEvents(db: Db, { userId, sessionId }: Session) {
  return db
    .selectFrom("stripe_events")
    .select(["type", "status"])
    .where("object_id", "=", sessionId)
    .where((eb) => eb.or([eb("user_id", "is", null), eb("user_id", "=", userId)]))
    .execute();
}

// A subscription is paid for by an invoice, whose event comes before or after the checkout's. A
// checkout that began none was a single pack that the bank has yet to confirm.
async function findFirstMonth(db: Db, { userId, sessionId }: Session): Promise<Arrival> {
  const subscription = await db
    .selectFrom("payment_references")
    .select("stripe_object_id as id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (!subscription) return { state: "unconfirmed" };
  const month = await arrivals(db)
    .where("payments.user_id", "=", userId)
    .where("subscription_id", "=", subscription.id)
    .orderBy("payments.created_at")
    .executeTakeFirst();
  if (month) return { state: "arrived", ...month };
  return { state: (await hasUnmatchedInvoice(db, subscription.id)) ? "unmatched" : "waiting" };
}

async function hasUnmatchedInvoice(db: Db, subscriptionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from stripe_events where status = 'parked' and type = 'invoice.paid' and ${subscriptionId}
      in (payload #>> '{data,object,parent,subscription_details,subscription}',
        payload #>> '{data,object,subscription}')`.execute(db);
  return rows.length > 0;
}

function arrivals(db: Db) {
  return db
    .selectFrom("payments")
    .innerJoin("profiles", "profiles.user_id", "payments.user_id")
    .select(["payments.id as paymentId", inCents("credits_eur").as("creditsCents")])
    .select(inCents("wallet_balance_eur").as("balanceCents"));
}
