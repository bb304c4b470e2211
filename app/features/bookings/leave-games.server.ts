import type { Tx } from "#app/platform/db.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { cancelLocked } from "./cancel-booking.server.ts";

interface Leaver {
  playerId: string;
  now: Date;
}

/**
 * Gives up every seat in games that have not started, on the caller's transaction: each booking by
 * its own terms, one that is not paid without any. What was written as a reason goes too. Answers
 * how many seats are free again. Locks the games by their ids, before the wallet.
 */
export async function leaveGames(tx: Tx, leaver: Leaver): Promise<number> {
  const seats = await listSeats(tx, leaver);
  const kickOffs = new Map<string, Date>();
  for (const { gameId } of seats) kickOffs.set(gameId, (await lockGame(tx, gameId))!.startsAt);
  let left = 0;
  for (const { id, gameId } of seats) {
    if (await leave(tx, id, kickOffs.get(gameId)!, leaver)) left += 1;
  }
  await forgetReasons(tx, leaver.playerId);
  return left;
}

/** Whether a seat in a game to come is held, asked under the wallet's lock: no join is under way. */
export async function holdsSeats(tx: Tx, leaver: Leaver): Promise<boolean> {
  return (await listSeats(tx, leaver)).length > 0;
}

function listSeats(tx: Tx, { playerId, now }: Leaver) {
  return tx
    .selectFrom("bookings")
    .innerJoin("games", "games.id", "bookings.game_id")
    .select(["bookings.id", "bookings.game_id as gameId"])
    .where("user_id", "=", playerId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .where("games.starts_at", ">", now)
    .orderBy("game_id")
    .execute();
}

async function leave(tx: Tx, bookingId: string, startsAt: Date, leaver: Leaver): Promise<boolean> {
  const answer = await cancelLocked(tx, startsAt, { ...leaver, bookingId });
  if (answer.ok) return true;
  const unpaid = await tx
    .updateTable("bookings")
    .set({ payment_status: "Cancelled", cancelled_at: leaver.now })
    .where("id", "=", bookingId)
    .where("payment_status", "=", "Unpaid")
    .executeTakeFirst();
  return unpaid.numUpdatedRows > 0n;
}

async function forgetReasons(tx: Tx, playerId: string): Promise<void> {
  await tx
    .updateTable("bookings")
    .set({ cancel_reason: null })
    .where("user_id", "=", playerId)
    .where("cancel_reason", "is not", null)
    .execute();
}
