import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { LIVE, WAIVED_COLUMNS } from "./rules.ts";

export const liveBookings = (db: Db, gameId: string) =>
  db
    .selectFrom("bookings")
    .where("bookings.game_id", "=", gameId)
    .where("bookings.payment_status", "in", LIVE);

/** SQL: the game has moved, so the full price comes back until kick-off. */
export const IS_WAIVED = sql<boolean>`coalesce(
  terms = ${WAIVED_COLUMNS.terms}::jsonb,
  (refund_hours, refund_fee_eur) =
    (${WAIVED_COLUMNS.refund_hours}, ${WAIVED_COLUMNS.refund_fee_eur}::numeric))`;
