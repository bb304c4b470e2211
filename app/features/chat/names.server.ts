import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { type Page, staysIn } from "./messages.server.ts";
import { longNames, type Person } from "./names.ts";

/** Among those who are in the game, or wrote one of these messages. */
export async function listLongNames(
  db: Db,
  { gameId, limit, before = null }: Page,
): Promise<Record<string, string>> {
  const { rows } = await sql<Person>`
    select person."userId", person."firstName", person."lastName" from (
      select user_id from bookings where game_id = ${gameId} and ${staysIn()}
      union (select user_id from chat_messages
        where game_id = ${gameId} and (${before}::integer is null or number < ${before})
        order by number desc limit ${limit})
    ) member
    cross join lateral (
      select user_id as "userId", first_name as "firstName", last_name as "lastName" from profiles
      where profiles.user_id = member.user_id limit 1
    ) person`.execute(db);
  return longNames(rows);
}
