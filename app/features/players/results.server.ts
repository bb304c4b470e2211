import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

/** Null until a result with the player in it is recorded. */
export interface PlayerResults {
  wins: number | null;
  goals: number | null;
}

/**
 * A player's wins and goals in all games whose result is recorded and that were not called off. As
 * the games beside them on the card, only paid bookings count.
 */
export async function findResults(db: Db, userId: string): Promise<PlayerResults> {
  const { rows } = await sql<PlayerResults>`
    select case when count(*) > 0 then count(*) filter (where has_won) end::int as wins,
      sum(goals)::int as goals
    from bookings join games on games.id = bookings.game_id
    where bookings.user_id = ${userId} and goals is not null
      and payment_status = 'Paid' and attendance is distinct from 'NoShow'
      and games.status <> 'Cancelled'`.execute(db);
  return rows[0]!;
}
