import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";

/**
 * How far the payment of a checkout session has come: nothing heard yet, credits here, the bank
 * still to confirm, refused by the bank, to be matched by hand, or settled by hand in another way.
 */
export type Arrival =
  | { state: "waiting" | "unconfirmed" | "failed" | "parked" | "settled" }
  | { state: "arrived"; creditsCents: number; balanceCents: number };

export type ArrivalState = Arrival["state"];

/** A checkout session, as the player who came back from it names it. */
interface Session {
  userId: string;
  sessionId: string;
}

/** What this player may know of a session; of one that is unknown or another's: nothing. */
export async function findArrival(db: Db, session: Session): Promise<Arrival> {
  const payment = await findPayment(db, session);
  if (payment) return payment;
  const events = await listEvents(db, session);
  if (events.some(({ status }) => status === "parked")) return { state: "parked" };
  if (events.some(({ status }) => status === "resolved")) return { state: "settled" };
  const isTold = (type: string) => events.some((event) => event.type === type);
  if (isTold("checkout.session.async_payment_failed")) return { state: "failed" };
  if (!isTold("checkout.session.completed")) return { state: "waiting" };
  return findFirstMonth(db, session);
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

/** A session's events, unless they name another player. */
function listEvents(db: Db, { userId, sessionId }: Session) {
  return db
    .selectFrom("stripe_events")
    .select(["type", "status"])
    .where("object_id", "=", sessionId)
    .where((eb) => eb.or([eb("user_id", "is", null), eb("user_id", "=", userId)]))
    .execute();
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
  if (month) return arrived(month);
  return { state: (await hasParkedInvoice(db, subscription.id)) ? "parked" : "waiting" };
}

async function hasParkedInvoice(db: Db, subscriptionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from stripe_events where status = 'parked' and type = 'invoice.paid' and ${subscriptionId}
      in (payload #>> '{data,object,parent,subscription_details,subscription}',
        payload #>> '{data,object,subscription}')`.execute(db);
  return rows.length > 0;
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
