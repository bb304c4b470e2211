import { sql } from "kysely";
import { isPaymentHoldOver, PAYMENT_HELD_UNTIL } from "#app/features/games/held-spots.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { PaymentHoldStatus } from "#app/platform/schema.ts";

const KEPT_DAYS = 30;

/** Money that arrives may still book by it. */
export const IS_OPEN = sql<boolean>`hold.status in ('Held', 'Lapsed')`;

/** The player came in by other ways since, so there is nothing left to book. */
export const IS_OUTRUN = sql<boolean>`exists (select from bookings
  where bookings.game_id = hold.game_id and bookings.user_id = hold.user_id
    and bookings.created_at >= hold.created_at)`;

export interface PaymentHold {
  id: string;
  /** Until when a spot is held, if it is. */
  until: Date;
  holdsSpot: boolean;
  /** The credits are there, and the booking follows. */
  isPaid: boolean;
  /** Its payment is under way: a bank has yet to confirm it. */
  isPending: boolean;
  /** Chosen to pay by; null for one of the version before. */
  packId: string | null;
}

/** A player's open intention to join this game; null once its spot is over, unless it is being paid. */
export async function findPaymentHold(
  db: Db | Tx,
  { gameId, userId, now }: { gameId: string; userId: string; now: Date },
): Promise<PaymentHold | null> {
  const { rows } = await sql<PaymentHold>`
    select hold.id, ${PAYMENT_HELD_UNTIL} as until, paid_at is not null as "isPaid",
      hold.status = 'Held' and holds_spot and not ${isPaymentHoldOver(now)} as "holdsSpot",
      session_id is not null and paid_at is null as "isPending", hold.pack_id as "packId"
    from payment_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and hold.user_id = ${userId} and ${IS_OPEN}
      and not ${IS_OUTRUN}
      and (session_id is not null or hold.status = 'Held' and not ${isPaymentHoldOver(now)})
    order by paid_at is null, hold.created_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Where a player's spot is held while nothing is paid. There is one at most. */
export async function findHeldGameId(db: Db | Tx, userId: string): Promise<string | null> {
  const hold = db.selectFrom("payment_holds").select("game_id").where("user_id", "=", userId);
  const live = hold.where("status", "=", "Held").where("paid_at", "is", null);
  return (await live.executeTakeFirst())?.game_id ?? null;
}

/** Games that a payment without any may still book. */
export async function listOpenGameIds(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ gameId: string }>`
    select distinct game_id as "gameId" from payment_holds hold
    where user_id = ${userId} and ${IS_OPEN} and session_id is null`.execute(db);
  return rows.map(({ gameId }) => gameId);
}

/** Spots of this game that the player let go without paying. */
export async function countUnpaid(
  db: Db | Tx,
  { gameId, playerId }: { gameId: string; playerId: string },
): Promise<number> {
  const { rows } = await sql<{ unpaid: number }>`
    select count(*)::integer as unpaid from payment_holds
    where game_id = ${gameId} and user_id = ${playerId} and holds_spot and session_id is null
      and status in ('Lapsed', 'GivenBack')`.execute(db);
  return rows[0]!.unpaid;
}

/** What is on its way for this game: the checkout sessions of payments that are not confirmed yet. */
export async function listSessionsUnderWay(
  tx: Tx,
  { gameId, playerId }: { gameId: string; playerId: string },
): Promise<string[]> {
  const { rows } = await sql<{ sessionId: string }>`
    select session_id as "sessionId" from payment_holds hold
    where game_id = ${gameId} and user_id = ${playerId} and ${IS_OPEN}
      and session_id is not null and paid_at is null
    order by created_at, id`.execute(tx);
  return rows.map(({ sessionId }) => sessionId);
}

interface NewPaymentHold {
  gameId: string;
  userId: string;
  holdsSpot: boolean;
  shown: Facts;
  friendToken: string | null;
  /** Chosen to pay by. */
  packId: string | null;
  expiresAt: Date;
  now: Date;
}

/** Under the locks of its game and of the player's wallet. */
export async function insertPaymentHold(tx: Tx, hold: NewPaymentHold): Promise<void> {
  await tx
    .insertInto("payment_holds")
    .values({
      game_id: hold.gameId,
      user_id: hold.userId,
      holds_spot: hold.holdsSpot,
      shown: JSON.stringify(hold.shown),
      friend_token: hold.friendToken,
      pack_id: hold.packId,
      expires_at: hold.expiresAt,
      created_at: hold.now,
    })
    .execute();
}

type Renewal = Pick<NewPaymentHold, "shown" | "friendToken" | "packId"> & { id: string };

/** Keeps the spot's time; the button was pressed again on a page that may say something else. */
export async function renewPaymentHold(
  tx: Tx,
  { id, shown, friendToken, packId }: Renewal,
): Promise<void> {
  const renewed = {
    ...{ shown: JSON.stringify(shown), friend_token: friendToken },
    ...(packId && { pack_id: packId }),
  };
  await tx.updateTable("payment_holds").set(renewed).where("id", "=", id).execute();
}

interface Closing {
  userId: string;
  /** Of all games, unless it says which. */
  gameId?: string;
  /** Leaves open what a payment under way is for. */
  onlyUnbound?: boolean;
  now: Date;
}

/** Ends what is not paid, under the lock of the game that holds a spot. Returns whether any was,
 * whether a payment for it goes on, and the games that have a spot more. */
export async function closePaymentHolds(tx: Tx, { userId, gameId, onlyUnbound, now }: Closing) {
  const { rows } = await sql<{ gameId: string; isFree: boolean; isUnderWay: boolean }>`
    update payment_holds hold set ended_at = ${now},
      status = case when ${onlyUnbound ?? false} and hold.session_id is not null
        then 'Lapsed' else 'GivenBack' end
    from payment_holds before
    where before.id = hold.id and hold.user_id = ${userId} and ${IS_OPEN} and hold.paid_at is null
      and (${gameId ?? null}::uuid is null or hold.game_id = ${gameId ?? null})
    returning hold.game_id as "gameId", before.status = 'Held' and hold.holds_spot as "isFree",
      hold.session_id is not null as "isUnderWay"`.execute(tx);
  const promote = rows.flatMap((row) => (row.isFree ? row.gameId : []));
  const isUnderWay = rows.some((row) => row.isUnderWay);
  return { hasClosed: rows.length > 0, isUnderWay, promote };
}

/** Under the game's lock; the caller passes the spots on. Returns how many have ended. */
export async function lapsePaymentHolds(
  tx: Tx,
  { gameId, now }: { gameId: string; now: Date },
): Promise<number> {
  const { rows } = await sql`
    update payment_holds hold set status = 'Lapsed', ended_at = ${now}
    from games, users
    where games.id = hold.game_id and users.id = hold.user_id
      and hold.game_id = ${gameId} and hold.status = 'Held' and holds_spot
      and ${isPaymentHoldOver(now)}
    returning hold.id`.execute(tx);
  return rows.length;
}

/** Before the player is booked: the database counts spots that are taken and held together. */
export async function bookPaymentHolds(
  tx: Tx,
  { gameId, userId, now }: { gameId: string; userId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable("payment_holds")
    .set({ status: "Booked", ended_at: now })
    .where("game_id", "=", gameId)
    .where("user_id", "=", userId)
    .where("status", "in", ["Held", "Lapsed"])
    .execute();
}

/** Under the game's lock; false if somebody has ended it before. */
export async function declinePaymentHold(
  tx: Tx,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<boolean> {
  const ended = { status: "Declined", declined_reason: reason, ended_at: now } as const;
  const holds = tx.updateTable("payment_holds").set(ended).where("id", "=", id);
  const open = holds.where("status", "in", ["Held", "Lapsed"] satisfies PaymentHoldStatus[]);
  return (await open.executeTakeFirst()).numUpdatedRows > 0n;
}

export interface PaidHold {
  id: string;
  gameId: string;
  userId: string;
  shown: Facts;
  friendToken: string | null;
  /** The money came after the spot's time, or after the time that one would have had. */
  isLate: boolean;
}

/** What is paid and neither booked nor declined yet: this one, or all. */
export function listPaidHolds(db: Db, id?: string): Promise<PaidHold[]> {
  return db
    .selectFrom("payment_holds")
    .select(["id", "game_id as gameId", "user_id as userId", "shown"])
    .select([
      "friend_token as friendToken",
      sql<boolean>`status = 'Lapsed' or paid_at >= expires_at`.as("isLate"),
    ])
    .where("status", "in", ["Held", "Lapsed"])
    .where("paid_at", "is not", null)
    .$if(id !== undefined, (holds) => holds.where("id", "=", id!))
    .orderBy("paid_at")
    .execute();
}

/** The account is gone, under the lock of its wallet but not of the game: the sweep ends the spot. */
export async function expirePaymentHolds(tx: Tx, userId: string, now: Date): Promise<void> {
  const own = tx.deleteFrom("payment_holds").where("user_id", "=", userId);
  await own
    .where((hold) => hold.or([hold("status", "!=", "Held"), hold("holds_spot", "=", false)]))
    .execute();
  const held = tx.updateTable("payment_holds").set({ expires_at: now, friend_token: null });
  await held.where("user_id", "=", userId).execute();
}

/** Deletes who went to pay for which game; the payments themselves stay. */
export async function purgePaymentHolds(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    delete from payment_holds hold using games
    where games.id = hold.game_id and games.ends_at < ${before}
      and not (hold.status = 'Held' and hold.holds_spot)`.execute(db);
}
