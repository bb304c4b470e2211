import { type RawBuilder, sql } from "kysely";
import { addressOf } from "#app/features/accounts/rules.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

export type FoundPlayer = Awaited<ReturnType<typeof searchPlayers>>["players"][number];

interface Search {
  /** Beginnings of names or of the address, in any order; empty finds everybody. */
  words: string;
  after: string | null;
  limit: number;
  /** SQL for the ids of the only players to look among. */
  among?: RawBuilder<unknown> | null;
}

export async function searchPlayers(db: Db, { words, after, limit, among }: Search) {
  // PostgreSQL takes neither NUL nor the half character that a cut may leave.
  const typed = words.toWellFormed().replaceAll("\0", "?").trim();
  const isListed = sql`deleted_at is null and ${beyond(after)}`;
  // A literal: for a parameter the planner expects so many rows that it would sort them all.
  const most = sql.lit(limit + 1);
  const page = among
    ? chosen(typed, isListed, most, among)
    : typed
      ? matching(typed, isListed, most)
      : sql`select ${COLUMNS} from profiles where ${isListed} ${BY_NAME} limit ${most}`;
  const { rows } = await sql<FoundRow>`
    select user_id as id, first_name as "firstName", last_name as "lastName", email,
      profile_picture_url as "profilePictureUrl", 
      ${inCents("wallet_balance_eur")} as "balanceCents",
      sort_name as "sortName",
      (select suspended_at from users where id = page.user_id) is not null as "isSuspended",
      exists (select from user_roles where user_id = page.user_id and role = 'admin') as "isAdmin"
    from (${page}) page ${BY_NAME}`.execute(db);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    players: rows.slice(0, limit).map(({ sortName: _name, ...player }) => player),
    next: last ? writeCursor([last.sortName, last.id]) : null,
  };
}

export const SUSPENDED = sql`select id from users where suspended_at is not null`;
export const ADMINS = sql`select user_id from user_roles where role = 'admin'`;

interface FoundRow {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  profilePictureUrl: string | null;
  balanceCents: number;
  sortName: string;
  isAdmin: boolean;
  isSuspended: boolean;
}

const COLUMNS = sql`user_id, first_name, last_name, email, profile_picture_url, wallet_balance_eur,
  sort_name`;
const BY_NAME = sql`order by sort_name, user_id`;

const NEARBY = 1_000;

// Scan NEARBY names first; read all matches only if the page is not full. The planner decides nothing.
function matching(typed: string, isListed: RawBuilder<unknown>, most: RawBuilder<unknown>) {
  const isMatch = matches(typed);
  return sql`
    with nearby as (
      select ${COLUMNS} from (
        select ${COLUMNS}, search_words from profiles
        where ${isListed} ${BY_NAME} limit ${sql.lit(NEARBY)}
      ) walked
      where ${isMatch} ${BY_NAME} limit ${most}
    ), everywhere as materialized (
      select ${COLUMNS} from profiles
      where ${isListed} and ${isMatch} and (select count(*) from nearby) < ${most}
    )
    select * from nearby union (select * from everywhere ${BY_NAME} limit ${most})
    ${BY_NAME} limit ${most}`;
}

// Few are chosen, so all of them are read, whatever the planner expects.
function chosen(
  typed: string,
  isListed: RawBuilder<unknown>,
  most: RawBuilder<unknown>,
  among: RawBuilder<unknown>,
) {
  const isMatch = typed ? matches(typed) : sql`true`;
  return sql`
    with chosen (user_id) as materialized (${among})
    select ${COLUMNS} from (
      select found.* from (select distinct user_id from chosen) one
      cross join lateral (select * from profiles where user_id = one.user_id offset 0) found
    ) people
    where ${isListed} and ${isMatch} ${BY_NAME} limit ${most}`;
}

function matches(typed: string): RawBuilder<unknown> {
  // In a query of its own, or it would be evaluated for each row.
  const isNamed = sql`search_words @@ (select player_query(${typed}))`;
  // A word with an @ also has to begin the address.
  const word = typed.split(/\s+/).find((each) => each.includes("@"));
  const address = word && addressOf(word);
  return address ? sql`${isNamed} and starts_with(email, ${address})` : isNamed;
}

function beyond(after: string | null): RawBuilder<unknown> {
  const [name, id] = readCursor(after, 2) ?? [];
  return isId(id) ? sql`(sort_name, user_id) > (${name}, ${id}::uuid)` : sql`true`;
}

export interface PlayerMatch {
  playerId: string;
  firstName: string;
  lastName: string;
  email: string;
  pictureUrl: string | null;
  isExact: boolean;
}

// A text search is limited to 2046 bytes, and a character can unfold into 18.
const WORDS_MAX = 100;

/** By email address, or by how the words of the name begin; an exact match first. */
export async function listPlayersByText(db: Db, words: string, limit: number) {
  const address = addressOf(words);
  const isAsked = address.includes("@")
    ? sql`user_id = (select id from users where email = ${address})`
    : sql`search_words @@ (select player_query(${words.slice(0, WORDS_MAX)}))`;
  const { rows } = await sql<PlayerMatch>`
    select user_id as "playerId", first_name as "firstName", last_name as "lastName", email,
      profile_picture_url as "pictureUrl",
      email = ${address} or folded(first_name || ' ' || last_name) = folded(${words.trim()})
        as "isExact"
    from profiles where deleted_at is null and ${isAsked}
    order by 6 desc, sort_name, user_id limit ${limit}`.execute(db);
  return rows;
}

export async function findPlayerByAddress(db: Db | Tx, address: string): Promise<string | null> {
  // The account's address has an index; a profile's own is the same.
  const players = db.selectFrom("users").innerJoin("profiles", "profiles.user_id", "users.id");
  const player = players.select("users.id").where("users.email", "=", addressOf(address));
  return (await player.executeTakeFirst())?.id ?? null;
}
