import type { Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { lockGame } from "#app/features/games/games.server.ts";

/** A booking, of the game that it is looked for in. */
export interface SeatKey {
  gameId: string;
  bookingId: string;
}

/**
 * Locks the game and reads one of its bookings as it is now; null where there is no such booking.
 * Whoever changes a booking of a game holds this lock, so that what was read stays true.
 */
export async function lockSeat(tx: Tx, { gameId, bookingId }: SeatKey) {
  if (!isId(gameId) || !isId(bookingId)) return null;
  const game = await lockGame(tx, gameId);
  if (!game) return null;
  const booking = await tx
    .selectFrom("bookings")
    .select([
      "user_id as playerId",
      "payment_status as paymentStatus",
      "price_eur",
      "uses_free_session as usesFreeSession",
      "attendance",
    ])
    .where("id", "=", bookingId)
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  if (!booking) return null;
  const { price_eur, ...seat } = booking;
  const isLive = seat.paymentStatus === "Paid" || seat.paymentStatus === "Unpaid";
  return { game, seat: { ...seat, priceCents: centsFromNumeric(price_eur), isLive } };
}
