import { sql } from "kysely";
import { readCursor, writeCursor } from "../../platform/cursor.server.ts";
import type { Db } from "../../platform/db.server.ts";
import { isId } from "../../platform/ids.ts";
import { centsFromNumeric } from "../../platform/money.ts";

export interface FoundPlayer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  profilePictureUrl: string | null;
  balanceCents: number;
  isAdmin: boolean;
  isSuspended: boolean;
}

interface Search {
  /** How names or the address begin, in any order, without capitals or marks; empty is everybody. */
  words: string;
  /** Where the page begins, as the page before it has said; null for the first. */
  after: string | null;
  limit: number;
}

type Row = Omit<FoundPlayer, "balanceCents"> & Record<"balance" | "lastKey" | "firstKey", string>;

/**
 * A page of the players by last name, deleted accounts left out. One query: everybody is read from
 * an index in their order, a search from an index of words.
 */
export async function searchPlayers(
  db: Db,
  { words, after, limit }: Search,
): Promise<{ players: FoundPlayer[]; next: string | null }> {
  // The limit is written out: of a parameter the planner thinks so many that it would sort them all.
  const { rows } = await sql<Row>`
    select page.id, page.first_name as "firstName", page.last_name as "lastName", page.email,
      profile_picture_url as "profilePictureUrl", wallet_balance_eur as balance,
      "lastKey", "firstKey",
      (select suspended_at from users where id = page.id) is not null as "isSuspended",
      exists (select from user_roles where user_id = page.id and role = 'admin') as "isAdmin"
    from (
      select user_id as id, first_name, last_name, email, profile_picture_url, wallet_balance_eur,
        ${LAST} as "lastKey", ${FIRST} as "firstKey"
      from profiles where deleted_at is null and ${matching(words)} and ${beyond(after)}
      order by ${LAST}, ${FIRST}, user_id limit ${sql.lit(limit + 1)}
    ) page order by "lastKey", "firstKey", page.id`.execute(db);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    players: rows.slice(0, limit).map(toPlayer),
    next: last ? writeCursor([last.lastKey, last.firstKey, last.id]) : null,
  };
}

// As the index profiles_by_name has them.
const LAST = sql`folded(last_name) collate "C"`;
const FIRST = sql`folded(first_name) collate "C"`;

function matching(words: string) {
  // PostgreSQL takes no NUL, nor half a character.
  const typed = words.toWellFormed().replaceAll("\0", "?").trim();
  if (!typed) return sql`true`;
  const isNamed = sql`player_words(first_name, last_name, email) @@ player_query(${typed})`;
  // The words of an address say how its name begins; with an @ the name is at its end.
  const address = /\S*@\S*/.exec(typed)?.[0].toLowerCase();
  return address ? sql`${isNamed} and starts_with(email, ${address})` : isNamed;
}

function beyond(after: string | null) {
  const [last, first, id] = readCursor(after, 3) ?? [];
  if (!isId(id)) return sql`true`;
  return sql`(${LAST}, ${FIRST}, user_id) > (${last}, ${first}, ${id}::uuid)`;
}

function toPlayer({ balance, lastKey: _last, firstKey: _first, ...player }: Row): FoundPlayer {
  return { ...player, balanceCents: centsFromNumeric(balance) };
}
