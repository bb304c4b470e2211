import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";

export type SheetPlayer = Awaited<ReturnType<typeof listSheet>>[number];

/**
 * Who is in a game, by name, with what an organiser needs at the pitch. For organisers alone: it
 * carries phone numbers. One query.
 */
export async function listSheet(db: Db, gameId: string) {
  if (!isId(gameId)) return [];
  const rows = await db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select([
      "bookings.id as bookingId",
      "bookings.user_id as playerId",
      "first_name as firstName",
      "last_name as lastName",
      "profile_picture_url as pictureUrl",
      "position",
      "phone",
      "payment_status as paymentStatus",
      "price_eur",
      "uses_free_session as usesFreeSession",
      "attendance",
      "goals",
      "has_won as hasWon",
    ])
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .orderBy("first_name")
    .orderBy("last_name")
    .orderBy("bookings.id")
    .execute();
  return rows.map(({ price_eur, ...player }) => ({
    ...player,
    priceCents: centsFromNumeric(price_eur),
  }));
}
