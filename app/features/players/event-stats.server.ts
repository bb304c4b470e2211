import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

export interface EventStats {
  /** Paid bookings of games that are over and were not cancelled. */
  joined: number;
  /** Only organisers create games, and no game belongs to one of them: 0 for everybody. */
  created: number;
}

export async function findEventStats(db: Db, userId: string, now: Date): Promise<EventStats> {
  const { rows } = await sql<{ joined: number }>`
    select count(*)::int as joined from bookings join games on games.id = bookings.game_id
    where bookings.user_id = ${userId} and payment_status = 'Paid'
      and games.ends_at <= ${now} and games.status <> 'Cancelled'`.execute(db);
  return { joined: rows[0]!.joined, created: 0 };
}
