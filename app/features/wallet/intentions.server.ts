import { sql } from "kysely";
import { isPaymentHoldOver } from "#app/features/games/held-spots.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { intended, type Payment } from "./payment-holds.server.ts";

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
  const { userId, sessionId, holdId = null } = payment;
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
      and id = coalesce(${intended(payment)}, ${bound}, ${holdId}::uuid)`.execute(db);
  return rows[0] ?? null;
}

/** Null where it is another player's, or gone. */
export async function findOwnHoldId(
  db: Db | Tx,
  { userId, holdId }: { userId: string; holdId: string },
): Promise<string | null> {
  const hold = db.selectFrom("payment_holds").select("id").where("id", "=", holdId);
  return (await hold.where("user_id", "=", userId).executeTakeFirst())?.id ?? null;
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
