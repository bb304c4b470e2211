import { sql } from "kysely";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";

export interface Progress {
  /** "YYYY-MM", by Helsinki's calendar. */
  month: string;
  /** Paid games that ended in this month and were not cancelled. */
  gamesCompleted: number;
  isClaimed: boolean;
}

/** A player's monthly challenge as it stands. */
export async function findProgress(
  db: Db | Tx,
  { playerId, now }: { playerId: string; now: Date },
): Promise<Progress> {
  const month = helsinkiDate(now).slice(0, 7);
  const { rows } = await sql<Omit<Progress, "month">>`
    select (
      select count(*)::int from bookings join games on games.id = bookings.game_id
      where bookings.user_id = ${playerId} and payment_status = 'Paid'
        and games.status <> 'Cancelled' and games.ends_at <= ${now}
        and games.ends_at >= ${`${month}-01`}::date::timestamp at time zone 'Europe/Helsinki'
    ) as "gamesCompleted", exists (
      select from monthly_game_progress
      where user_id = ${playerId} and month_year = ${month} and reward_claimed
    ) as "isClaimed"`.execute(db);
  return { month, ...rows[0]! };
}
