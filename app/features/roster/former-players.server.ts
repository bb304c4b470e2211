import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

export type FormerPlayer = Awaited<ReturnType<typeof listFormerPlayers>>[number];

/** Players whose bookings of a game have ended, and what came back. For admins alone. One query. */
export async function listFormerPlayers(db: Db, gameId: string) {
  if (!isId(gameId)) return [];
  return db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select(["bookings.id as bookingId", "first_name as firstName", "last_name as lastName"])
    .select(["position", "phone", "profiles.email", "deleted_at as deletedAt"])
    .select(["payment_status as paymentStatus", "attendance", "goals"])
    .select(["end_reason as endReason", "cancelled_at as endedAt", "cancel_reason as reason"])
    .select(inCents("price_eur").as("priceCents"))
    .select(inCents("late_refund_eur").as("lateRefundCents"))
    .select(inCents(sql`coalesce(${refunded}, 0)`).as("creditsBackCents"))
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Refunded", "Cancelled"])
    .orderBy("cancelled_at")
    .orderBy("first_name")
    .orderBy("bookings.id")
    .execute();
}

const refunded = sql`(
  select sum(amount_eur) from wallet_transactions entry where entry.booking_id = bookings.id
    and entry.type = 'refund' and entry.status = 'completed')`;
