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
}

/** What this player may know of a session; of one that is unknown or another's: nothing. */
export async function findArrival(db: Db, session: Session): Promise<Arrival> {
  const payment = await findPayment(db, session);
  if (payment) return payment;
  const events = await listEvents(db, session);
  if (events.some(({ isParked }) => isParked)) return { state: "parked" };
  const isFailure = ({ type }: SessionEvent) => type === "checkout.session.async_payment_failed";
  if (events.some(isFailure)) return { state: "failed" };
  const isCompleted = events.some(({ type }) => type === "checkout.session.completed");
  return isCompleted ? findFirstMonth(db, session) : { state: "waiting" };
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
    select type, status = 'parked' as "isParked" from stripe_events
    where object_id = ${sessionId} and status <> 'resolved' and not exists (
      select from profiles where user_id <> ${userId}
        and user_id::text = payload #>> '{data,object,client_reference_id}'
    )`.execute(db);
  return rows;
}

/**
 * A subscription is paid for by an invoice, whose event comes at about the same time, before or
 * after. A checkout that began none was a single pack that the bank has yet to confirm.
 */
async function findFirstMonth(db: Db, { userId, sessionId }: Session): Promise<Arrival> {
  const subscription = await db
    .selectFrom("payment_references")
    .select("stripe_object_id as id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (!subscription) return { state: "unconfirmed" };
  const month = await payments(db)
    .where("payments.user_id", "=", userId)
    .where("subscription_id", "=", subscription.id)
    .orderBy("payments.created_at")
    .executeTakeFirst();
  return month ? arrived(month) : { state: "waiting" };
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
