import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { staysIn } from "./messages.server.ts";
import { longNames, type Person } from "./names.ts";

export async function listLongNames(db: Db, gameId: string): Promise<Record<string, string>> {
  const { rows } = await sql<Person>`
    select person.* from (
      select user_id from bookings where game_id = ${gameId} and ${staysIn()}
      union select user_id from chat_messages where game_id = ${gameId}
    ) member
    cross join lateral (
      select user_id as "userId", first_name as "firstName", last_name as "lastName" from profiles
      where profiles.user_id = member.user_id limit 1
    ) person`.execute(db);
  return longNames(rows);
}
