import { sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import { lockLiveAccount } from "./ledger.server.ts";
import { findSoldPack } from "./packs.server.ts";
import { bindPayment, findHoldOpenedFor, unbindPayment } from "./intentions.server.ts";
import type { Checkout, Effect, EventMeta } from "#app/features/wallet/stripe/stripe-event.ts";

type FailureJobs = Pick<Jobs, "enqueueAll" | "enqueueEmails">;

/** Stores a single payment that the bank has yet to confirm, unless its end has come first. */
export async function applyUnpaidCheckout(
  tx: Tx,
  session: Checkout,
  meta: EventMeta,
): Promise<Effect> {
  if (!(await hasSucceeded(tx, session.id))) await insertPending(tx, session, meta);
  return { matches: [] };
}

/** Notifies of a failure, once; it may come before the payment was said to be under way. */
export async function applyFailedCheckout(
  tx: Tx,
  jobs: FailureJobs,
  session: Checkout,
  meta: EventMeta,
): Promise<Effect> {
  if (session.isSubscription || (await hasSucceeded(tx, session.id))) return { matches: [] };
  await insertPending(tx, session, meta);
  await failPendingPayment(tx, jobs, session.id, meta.now);
  return { matches: [] };
}

/** The money has come, whether or not its credits could be granted; also after a failure. */
export async function endPaid(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx
    .updateTable("pending_payments")
    .set({ status: "Paid", ended_at: now })
    .where("session_id", "=", sessionId)
    .where("status", "<>", "Paid")
    .execute();
}

/** False where it is no longer pending. */
export async function failPendingPayment(
  tx: Tx,
  jobs: FailureJobs,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const failed = await tx
    .updateTable("pending_payments")
    .set({ status: "Failed", ended_at: now })
    .where("session_id", "=", sessionId)
    .where("status", "=", "Pending")
    .returning("user_id as userId")
    .executeTakeFirst();
  if (!failed) return false;
  await unbindPayment(tx, sessionId);
  await jobs.enqueueEmails(tx, "payment-failed", [{ ...failed, payment: sessionId }]);
  const push = { ...failed, subjectId: sessionId, version: "" };
  await enqueuePushes(tx, jobs, "payment-failed", [push]);
  return true;
}

/** For what the version before has granted, which knows nothing of it. */
export async function endGranted(db: Db, now: Date): Promise<void> {
  await sql`
    update pending_payments set status = 'Paid', ended_at = ${now}
    where status <> 'Paid' and exists (
      select from payments where stripe_object_id = session_id)`.execute(db);
}

const MOST_AWAITED = 200;

/** The oldest that were begun before, and of which nothing has come since. */
export function listAwaited(db: Db, before: Date) {
  return db
    .selectFrom("pending_payments")
    .select(["session_id as sessionId", inCents("amount_eur").as("amountCents")])
    .where("status", "=", "Pending")
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(MOST_AWAITED)
    .execute();
}

async function insertPending(tx: Tx, session: Checkout, { at, now }: EventMeta): Promise<void> {
  const { playerId: userId, openedAt } = session;
  // What is no player's or in another currency is an admin's matter once it is paid.
  if (!userId || session.currency.toLowerCase() !== "eur") return;
  if (!(await lockLiveAccount(tx, userId))) return;
  const pack = await findSoldPack(tx, { paymentLinkId: session.paymentLinkId });
  const { id: sessionId, amountCents } = session;
  const amount_eur = numericFromCents(amountCents);
  const payment = { session_id: sessionId, user_id: userId, pack_id: pack?.id ?? null, amount_eur };
  const inserted = await tx
    .insertInto("pending_payments")
    .values({ ...payment, created_at: at })
    .onConflict((conflict) => conflict.column("session_id").doNothing())
    .returning("session_id")
    .executeTakeFirst();
  if (!inserted) return;
  // The intention to join that it is for; a failure gives it back. One that is over is kept as well:
  // it says of which game the payment was.
  const bound = await bindPayment(tx, { userId, sessionId, openedAt, isPaid: false, now });
  const hold_id = bound ?? (openedAt && (await findHoldOpenedFor(tx, { userId, openedAt })));
  const rows = tx.updateTable("pending_payments").where("session_id", "=", sessionId);
  if (hold_id) await rows.set({ hold_id }).execute();
}

/** By the event itself, since a payment that waits for an admin is in no other table. */
async function hasSucceeded(tx: Tx, sessionId: string): Promise<boolean> {
  const event = await tx
    .selectFrom("stripe_events")
    .select("id")
    .where("object_id", "=", sessionId)
    .where("type", "=", "checkout.session.async_payment_succeeded")
    .executeTakeFirst();
  return event !== undefined;
}

/** Days for which a failed payment stays in view, if nothing was bought since. */
export const FAILED_DAYS = 7;

export interface PaymentUnderWay {
  sessionId: string;
  /** `unmatched`: the money has come, and an admin finds out whose credits it buys. */
  state: "pending" | "failed" | "unmatched";
  amountCents: number;
  since: Date;
  /** Until when a spot was held for it, where it pays for a game and holds one. */
  heldUntil: Date | null;
  /** The game that it pays for may still be booked by it. */
  canBook: boolean;
  /** Null where it pays for none. */
  game: { id: string; friendToken: string | null; venueName: string; startsAt: string } | null;
}

interface Payer {
  userId: string;
  /** Only what pays for this game. */
  gameId?: string;
  now: Date;
}

/** A player's payments without credits so far, the newest first. */
export async function listPaymentsUnderWay(
  db: Db,
  { userId, gameId, now }: Payer,
): Promise<PaymentUnderWay[]> {
  const { rows } = await sql<PaymentUnderWay>`
    select pending.session_id as "sessionId", ${inCents("pending.amount_eur")} as "amountCents",
      pending.created_at as since, case when hold.holds_spot then hold.expires_at end as "heldUntil",
      coalesce(hold.status in ('Held', 'Lapsed'), false) as "canBook",
      case pending.status when 'Pending' then 'pending' when 'Failed' then 'failed'
        else 'unmatched' end as state,
      case when hold.id is not null then json_build_object('id', games.id,
        'friendToken', hold.friend_token, 'venueName', venues.name, 'startsAt', games.starts_at) end as game
    from pending_payments pending left join payment_holds hold on hold.id = pending.hold_id
      left join games on games.id = hold.game_id left join venues on venues.id = games.venue_id
    where pending.user_id = ${userId}
      and (${gameId ?? null}::uuid is null or hold.game_id = ${gameId ?? null})
      and case pending.status
        when 'Pending' then not exists (
          select from payments where stripe_object_id = pending.session_id)
        when 'Failed' then pending.ended_at > ${daysBefore(now, FAILED_DAYS)} and not exists (
          select from payments
          where payments.user_id = pending.user_id and payments.created_at > pending.ended_at)
        else exists (
          select from stripe_events
          where object_id = pending.session_id and stripe_events.status = 'parked')
        end
    order by pending.created_at desc, pending.session_id limit ${MOST_SHOWN}`.execute(db);
  return rows;
}

/** Those whose credits may still come. */
export const toCome = (payments: PaymentUnderWay[]) =>
  payments.filter(({ state }) => state !== "failed");

const MOST_SHOWN = 20;

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);

/** With its player; null where the account is gone. */
export async function findPendingPayment(db: Db, sessionId: string) {
  const payment = await db
    .selectFrom("pending_payments as pending")
    .innerJoin("profiles", "profiles.user_id", "pending.user_id")
    .innerJoin("users", "users.id", "pending.user_id")
    .leftJoin("payment_holds as hold", "hold.id", "pending.hold_id")
    .select(["users.email", "profiles.first_name as firstName", "pending.user_id as userId"])
    .select(["pending.status", "pending.created_at as since", "pending.ended_at as endedAt"])
    .select(["hold.game_id as gameId", inCents("amount_eur").as("amountCents")])
    .where("pending.session_id", "=", sessionId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return payment ?? null;
}

/** What a payment that has failed would have bought; null where it has not. */
export async function findFailedPurchase(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
) {
  const failed = await db
    .selectFrom("pending_payments")
    .select(["pack_id as packId", inCents("amount_eur").as("amountCents")])
    .where("session_id", "=", sessionId)
    .where("user_id", "=", userId)
    .where("status", "=", "Failed")
    .executeTakeFirst();
  return failed ?? null;
}
