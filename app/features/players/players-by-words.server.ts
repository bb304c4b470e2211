import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

export interface FoundPlayer {
  playerId: string;
  firstName: string;
  lastName: string;
  email: string;
  pictureUrl: string | null;
  /** The address or the whole name is what was asked for. */
  isExact: boolean;
}

// PostgreSQL's words for a search have at most 2046 bytes, and a letter can unfold into 18.
const WORDS_MAX = 100;

/**
 * Players by their e-mail address, or by how the words of their name begin; at most `limit`. An
 * exact one comes first.
 */
export async function listPlayersByWords(
  db: Db,
  words: string,
  limit: number,
): Promise<FoundPlayer[]> {
  const address = words.trim().toLowerCase();
  const isAsked = address.includes("@")
    ? sql`user_id = (select id from users where email = ${address})`
    : sql`search_words @@ (select player_query(${words.slice(0, WORDS_MAX)}))`;
  const { rows } = await sql<FoundPlayer>`
    select user_id as "playerId", first_name as "firstName", last_name as "lastName", email,
      profile_picture_url as "pictureUrl",
      email = ${address} or folded(first_name || ' ' || last_name) = folded(${words.trim()})
        as "isExact"
    from profiles where deleted_at is null and ${isAsked}
    order by 6 desc, sort_name, user_id limit ${limit}`.execute(db);
  return rows;
}
