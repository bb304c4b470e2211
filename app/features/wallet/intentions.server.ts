import { sql } from "kysely";
import { isPaymentHoldOver } from "#app/features/games/held-spots.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { IS_OPEN, IS_OUTRUN } from "./payment-holds.server.ts";

/** A payment page stays open for a day; who comes back later presses the button again. */
const UNBOUND_HOURS = 24;
const HOUR_MS = 3_600_000;

export interface Payment {
  userId: string;
  /** Of the checkout session, or of the subscription. */
  sessionId: string;
  /** When its session was opened, where that is known. */
  openedAt?: Date | null | undefined;
  now: Date;
}

/** Stripe gives whole seconds of a clock of its own. */
const SKEW_SECONDS = 5;

type Opened = Pick<Payment, "userId" | "openedAt">;

/** SQL: the id of the player's newest intention when a session was opened, which it was opened for;
 * `isOpen`: if it was not over by then. */
const openedFor = ({ userId, openedAt = null }: Opened, { isOpen = false } = {}) => {
  const skew = sql`make_interval(secs => ${1 + SKEW_SECONDS})`;
  return sql<string | null>`(select id from (
    select id, ended_at from payment_holds
    where user_id = ${userId} and created_at < ${openedAt}::timestamptz + ${skew}
    order by created_at desc limit 1) newest
    where not ${isOpen} or ended_at is null or ended_at > ${openedAt}::timestamptz - ${skew})`;
};

/** SQL: the id of the intention that a payment not seen before is for. The one of its session; else one
 * of the game that it was opened for, or else the newest, that has none. What was given back it does not
 * book. */
export function intended({ userId, sessionId, openedAt, now }: Payment) {
  const since = new Date(now.getTime() - UNBOUND_HOURS * HOUR_MS);
  const named = sql`coalesce((select hold_id from pending_payments where session_id = ${sessionId}),
    ${openedFor({ userId, openedAt })})`;
  // A subscription is bound by its checkout, which says when it was opened; its invoice does not.
  const otherwise = openedAt
    ? sql`else true`
    : sql`else not exists (select from payment_references
        where stripe_object_id = ${sessionId} and id like 'cs\\_%')`;
  return sql<string | null>`(
    select id from payment_holds hold
    where user_id = ${userId} and ${IS_OPEN} and paid_at is null and not ${IS_OUTRUN}
      and (session_id = ${sessionId} or session_id is null and created_at > ${since}
        and not exists (select from payment_holds where session_id = ${sessionId})
        and case when ${named} is not null
            then game_id = (select game_id from payment_holds where id = ${named})
          ${otherwise} end)
    order by session_id is null, created_at desc limit 1)`;
}

/** Binds a payment to the intention that it is for (`intended`). Under the lock of Stripe's events and,
 * once paid, of the player's wallet, without the game's: what lapses or is given back at the same
 * moment decides by its row. Returns its id, if there is one. */
export async function bindPayment(
  tx: Tx,
  {
    isPaid,
    ...payment
  }: Payment & { /** False while a bank has yet to confirm it. */ isPaid: boolean },
): Promise<string | null> {
  const { sessionId, now } = payment;
  const { rows } = await sql<{ id: string }>`
    update payment_holds set session_id = ${sessionId},
      paid_at = case when ${isPaid} then ${now}::timestamptz end
    where status in ('Held', 'Lapsed') and paid_at is null and id = ${intended(payment)}
    returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Its payment has failed; another one may book by the same intention. */
export async function unbindPayment(tx: Tx, sessionId: string): Promise<void> {
  const holds = tx.updateTable("payment_holds").set({ session_id: null });
  await holds.where("session_id", "=", sessionId).where("paid_at", "is", null).execute();
}

export interface Intention {
  gameId: string;
  friendToken: string | null;
  /** Money that comes now books by it, if it can. */
  isOpen: boolean;
  isBooked: boolean;
  /** By an event of its session; else it is the newest, which may be another payment's. */
  isBound: boolean;
}

/** The intention that this payment would be bound to now; else that which it was made for. */
export async function findIntention(db: Db | Tx, payment: Payment): Promise<Intention | null> {
  const { userId, sessionId } = payment;
  const bound = sql`coalesce(
    (select id from payment_holds where session_id in (${sessionId},
      (select stripe_object_id from payment_references where id = ${sessionId}))),
    (select hold_id from pending_payments where session_id = ${sessionId}))`;
  const { rows } = await sql<Intention>`
    select game_id as "gameId", friend_token as "friendToken", status = 'Booked' as "isBooked",
      coalesce(id = ${intended(payment)}, false) as "isOpen",
      coalesce(id = ${bound}, false) as "isBound"
    from payment_holds
    where user_id = ${userId}
      and id = coalesce(${intended(payment)}, ${bound}, ${openedFor(payment, { isOpen: true })})`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Also one that is over. */
export async function findHoldOpenedFor(
  db: Db | Tx,
  session: { userId: string; openedAt: Date },
): Promise<string | null> {
  const { rows } = await sql<{
    id: string | null;
  }>`select ${openedFor(session, { isOpen: true })} as id`.execute(db);
  return rows[0]!.id;
}

/** A spot is held while somebody pays for it, and may be given back within minutes. */
export async function isBeingPaidFor(
  db: Db | Tx,
  { gameId, now }: { gameId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from payment_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and hold.status = 'Held' and holds_spot and paid_at is null
      and not ${isPaymentHoldOver(now)} limit 1`.execute(db);
  return rows.length > 0;
}
