import { sql } from "kysely";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { announceFirstGame } from "#app/features/chat/announce.server.ts";
import { countHoldsOver } from "#app/features/games/held-spots.server.ts";
import { hasStarted, spotsLeft } from "#app/features/games/rules.ts";
import {
  lockedWallets,
  type LockedWallet,
  lockWallets,
} from "#app/features/wallet/ledger.server.ts";
import { inCents, type Tx } from "#app/platform/db.server.ts";
import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import { refundLate } from "./end-booking.server.ts";

export const freeSpots = (game: Pick<LockedGame, "maxPlayers" | "joinedCount" | "heldCount">) =>
  spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount);

/** Under the game's lock: spots that somebody can have, with those that are held no more. */
export async function freeSpotsNow(tx: Tx, game: LockedGame, now: Date): Promise<number> {
  if (game.heldCount === 0) return freeSpots(game);
  const { rows } = await sql<{
    over: number;
  }>`select ${countHoldsOver(game.id, now)} as over`.execute(tx);
  return freeSpots(game) + rows[0]!.over;
}

export interface OwnWait {
  id: string;
}

/** Before its player is booked: the database counts spots that are taken and held together. */
export async function releaseHeldSpot(tx: Tx, { id }: OwnWait): Promise<void> {
  await tx
    .updateTable("waitlist_entries")
    .set({ status: "Waiting", offer_expires_at: null })
    .where("id", "=", id)
    .where("status", "=", "Offered")
    .execute();
}

/** A paid spot that was given up late; the next join refunds its price. */
interface PendingRefund {
  bookingId: string;
  userId: string;
  amountCents: number;
}

type Game = Pick<LockedGame, "id" | "startsAt" | "maxPlayers" | "joinedCount">;

export interface LateSpot extends PendingRefund {
  /** Itself, and those that were given back after it. */
  unsettled: number;
}

/** SQL: the oldest spot of a game that was given back late and is not refunded yet, or null. */
export const oldestLateSpot = (gameId: string) => sql<LateSpot | null>`(
  select json_build_object('bookingId', id, 'userId', user_id,
    'amountCents', ${inCents("late_refund_eur")}, 'unsettled', count(*) over ())
  from bookings
  where game_id = ${gameId} and payment_status = 'Cancelled' and late_refund_eur is not null
  order by cancelled_at, id limit 1)`;

interface Joining {
  playerId: string;
  now: Date;
}

/** Locks the wallets of the player, if there is one, and of the late refund that the booking
 * settles, under the game's lock. Whatever depends on a wallet, or on another game at that hour, is
 * read after it. */
export async function lockWalletsOfJoin(
  tx: Tx,
  game: Game,
  { playerId, now }: Joining,
): Promise<{ wallet: LockedWallet | null; due: PendingRefund | null }> {
  const due = pendingRefund(game, await findOldestLateSpot(tx, game), now);
  const wallets = await lockWallets(tx, due ? [playerId, due.userId] : [playerId]);
  return { wallet: wallets.find(({ userId }) => userId === playerId) ?? null, due };
}

/** The same locks as a statement, to be sent together with the game's: of the oldest late spot too
 * where it is not refunded yet. */
export const lockedWalletsOfJoin = (tx: Tx, gameId: string, playerId: string) =>
  lockedWallets(
    tx,
    sql<boolean>`user_id = any(array[${playerId},
      (${oldestLateSpot(gameId)} ->> 'userId')::uuid])`,
  );

async function findOldestLateSpot(tx: Tx, { id }: Game): Promise<LateSpot | null> {
  const oldest = sql<{ spot: LateSpot | null }>`select ${oldestLateSpot(id)} as spot`;
  return (await oldest.execute(tx)).rows[0]!.spot;
}

/** Spots that were never sold fill first: the oldest late cancellation is refunded only once fewer
 * spots are free than were given up late. */
export function pendingRefund(
  game: Game,
  oldest: LateSpot | null,
  now: Date,
): PendingRefund | null {
  const freeAfter = game.maxPlayers - game.joinedCount - 1;
  // A player added after kick-off fills no spot that was given up.
  if (!oldest || oldest.unsettled <= freeAfter || hasStarted(game, now)) return null;
  const { bookingId, userId, amountCents } = oldest;
  return { bookingId, userId, amountCents };
}

interface Joined {
  bookingId: string;
  wait?: OwnWait | null;
  due: PendingRefund | null;
  /** Before it, which makes this no first game; looked up where it is not known. */
  hasBooked?: boolean;
  now: Date;
}

/** What every join brings about, also by promotion or by an organiser; under the game's lock.
 * Returns whom to notify. */
export async function afterJoin(tx: Tx, joined: Joined): Promise<QueuedNotice[]> {
  const { bookingId, wait, due, hasBooked = false, now } = joined;
  if (wait) {
    await tx
      .updateTable("waitlist_entries")
      .set({ status: "Promoted", booking_id: bookingId, ended_at: now, passed_over: null })
      .where("id", "=", wait.id)
      .execute();
  }
  if (due) await refundLate(tx, [due], { notes: "Somebody took your spot", now });
  if (!hasBooked) await announceFirstGame(tx, { bookingId, now });
  return due ? [["late-refund", [{ bookingId: due.bookingId }]]] : [];
}
