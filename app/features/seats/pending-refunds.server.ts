import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

/** Whether a row of `games` was cancelled together with others, and still has bookings to be ended. */
export const IS_REFUND_PENDING = sql<boolean>`exists (
  select from bulk_cancellation_games pending
  where pending.game_id = games.id and pending.finished_at is null)`;

export async function isRefundPending(db: Db, gameId: string): Promise<boolean> {
  const game = db.selectFrom("games").select("id").where("id", "=", gameId);
  return (await game.where(IS_REFUND_PENDING).executeTakeFirst()) !== undefined;
}
