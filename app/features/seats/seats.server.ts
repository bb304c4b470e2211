import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { LIVE, WAIVED_COLUMNS } from "./rules.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

export const liveBookings = (db: Db, gameId: string) =>
  db
    .selectFrom("bookings")
    .where("bookings.game_id", "=", gameId)
    .where("bookings.payment_status", "in", LIVE);

/** Of a booking whose game has moved: the full price until kick-off. */
export const IS_WAIVED = sql<boolean>`coalesce(
  terms = ${WAIVED_COLUMNS.terms}::jsonb,
  (refund_hours, refund_fee_eur) =
    (${WAIVED_COLUMNS.refund_hours}, ${WAIVED_COLUMNS.refund_fee_eur}::numeric))`;

/** After whatever may have freed a spot: the first who waits gets it once this has committed. */
export const queuePromotion = (tx: Tx, jobs: Jobs, gameId: string) =>
  queuePromotions(tx, jobs, [gameId]);

export async function queuePromotions(tx: Tx, jobs: Jobs, gameIds: string[]): Promise<void> {
  if (gameIds.length === 0) return;
  const waiting = tx.selectFrom("waitlist_entries").select("game_id as gameId").distinct();
  const games = await waiting
    .where("game_id", "in", gameIds)
    .where("status", "=", "Waiting")
    .execute();
  await jobs.enqueueAll(tx, "waitlist.promote", games, { isUrgent: true });
}
