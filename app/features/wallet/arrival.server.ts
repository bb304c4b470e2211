import { sql } from "kysely";
import type { Db } from "../../platform/db.server.ts";
import { centsFromNumeric } from "../../platform/money.ts";

/**
 * How far the payment of a checkout session has come: nothing heard yet, credits here, the bank
 * still to confirm, refused by the bank, or to be matched by hand.
 */
export type Arrival =
  | { state: "waiting" | "unconfirmed" | "failed" | "parked" }
  | { state: "arrived"; creditsCents: number; balanceCents: number };

export type ArrivalState = Arrival["state"];

/** A checkout session, as the player who came back from it names it. */
interface Session {
  userId: string;
  sessionId: string;
}

interface SessionEvent {
  type: string;
  isParked: boolean;
  receivedAt: Date;
}

/** What this player may know of a session; of one that is unknown or another's: nothing. */
export async function findArrival(db: Db, session: Session): Promise<Arrival> {
  const payment = await findPayment(db, session);
  if (payment) return payment;
  const events = await listEvents(db, session);
  if (events.some(({ isParked }) => isParked)) return { state: "parked" };
  const isFailure = ({ type }: SessionEvent) => type === "checkout.session.async_payment_failed";
  if (events.some(isFailure)) return { state: "failed" };
  const completed = events.find(({ type }) => type === "checkout.session.completed");
  if (!completed) return { state: "waiting" };
  return findFirstMonth(db, session.userId, completed.receivedAt);
}

/** A single pack is paid for by the session itself; of another's payment nothing is told. */
async function findPayment(db: Db, { userId, sessionId }: Session): Promise<Arrival | null> {
  const payment = await payments(db)
    .select("payments.user_id")
    .where("stripe_object_id", "=", sessionId)
    .executeTakeFirst();
  if (!payment) return null;
  return payment.user_id === userId ? arrived(payment) : { state: "waiting" };
}

/** A session's events that an admin has not settled, unless they name another player. */
async function listEvents(db: Db, { userId, sessionId }: Session): Promise<SessionEvent[]> {
  const { rows } = await sql<SessionEvent>`
    select type, status = 'parked' as "isParked", received_at as "receivedAt" from stripe_events
    where object_id = ${sessionId} and status <> 'resolved' and not exists (
      select from profiles where user_id <> ${userId}
        and user_id::text = payload #>> '{data,object,client_reference_id}'
    )`.execute(db);
  return rows;
}

/**
 * A subscription is paid for by an invoice, whose event comes at about the same time, before or
 * after. Where neither the month nor the subscription is known, it was a single pack that the
 * bank has yet to confirm.
 */
async function findFirstMonth(db: Db, userId: string, receivedAt: Date): Promise<Arrival> {
  const since = new Date(receivedAt.getTime() - 3_600_000);
  const month = await payments(db)
    .where("payments.user_id", "=", userId)
    .where("payments.created_at", ">", since)
    .where("subscription_id", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payments as earlier")
            .select("earlier.id")
            .whereRef("earlier.subscription_id", "=", "payments.subscription_id")
            .whereRef("earlier.created_at", "<", "payments.created_at"),
        ),
      ),
    )
    .orderBy("payments.created_at", "desc")
    .executeTakeFirst();
  if (month) return arrived(month);
  return { state: (await hasSubscribed(db, userId, since)) ? "waiting" : "unconfirmed" };
}

async function hasSubscribed(db: Db, userId: string, since: Date): Promise<boolean> {
  const customer = await db
    .selectFrom("stripe_customers as customer")
    .leftJoin("subscriptions", "subscriptions.customer_id", "customer.customer_id")
    .select("customer.customer_id")
    .where("customer.user_id", "=", userId)
    .where((eb) => eb.or([eb("customer.created_at", ">", since), eb("state_at", ">", since)]))
    .executeTakeFirst();
  return customer !== undefined;
}

function payments(db: Db) {
  return db
    .selectFrom("payments")
    .innerJoin("profiles", "profiles.user_id", "payments.user_id")
    .select(["credits_eur", "wallet_balance_eur"]);
}

function arrived(payment: { credits_eur: string; wallet_balance_eur: string }): Arrival {
  return {
    state: "arrived",
    creditsCents: centsFromNumeric(payment.credits_eur),
    balanceCents: centsFromNumeric(payment.wallet_balance_eur),
  };
}
