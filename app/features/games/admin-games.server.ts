import { type RawBuilder, sql } from "kysely";
import { isBeyond, toMicros, writeCursor } from "#app/platform/cursor.server.ts";
import { type Db, hasWords, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { VenueName } from "#app/features/venues/venues.server.ts";
import type { AdminGameFilter } from "./filters.ts";
import { toGameToEdit } from "./games.server.ts";
import { REVISION } from "./live-games.server.ts";
import { PENDING_CASH, isPaymentOpen, isToComplete, lacks } from "./unfinished.server.ts";

export interface AdminGame {
  id: string;
  title: string;
  date: string;
  startTime: string;
  endTime: string;
  status: GameStatus;
  maxPlayers: number;
  joinedCount: number;
  undecidedMinimum: number | null;
  lacksAttendance: boolean;
  lacksResult: boolean;
  isOver: boolean;
  waiting: number;
  unpaid: number;
  cashDueCents: number;
  venueName: string;
  city: string;
}

interface PageQuery {
  filter: AdminGameFilter;
  now: Date;
  /** The cursor that the page before returned as `next`; null for the first. */
  after: string | null;
  limit: number;
}

/** One query. Reads each status of each venue from its index, only as far as the page needs. */
export async function listAdminGames(
  db: Db,
  page: PageQuery,
): Promise<{ games: AdminGame[]; next: string | null }> {
  const { filter, limit } = page;
  const direction = filter.when === "to-come" ? "asc" : "desc";
  const order = sql.raw(direction);
  const statuses = statusesOf(filter);
  const { place, isThere } = placeOf(filter);
  const isLeft = isToComplete("found", page.now);
  const { rows } = await sql<AdminGame & { micros: string }>`
    select found.id, found.title, found.date, found.start_time as "startTime",
      found.end_time as "endTime", found.status, found.max_players as "maxPlayers",
      found.seats_taken as "joinedCount",
      found.ends_at <= ${page.now} as "isOver",
      ${isLeft} and ${lacks("attendance", "found")} as "lacksAttendance",
      ${isLeft} and ${lacks("result", "found")} as "lacksResult",
      case when found.decision is null then found.min_players end as "undecidedMinimum",
      (select count(*)::integer from waitlist_entries where game_id = found.id
        and waitlist_entries.status in ('Waiting', 'Offered')) as waiting,
      (select count(*)::integer from bookings where game_id = found.id
        and ${isPaymentOpen("bookings")}) as unpaid,
      (select ${inCents(sql`sum(amount_eur)`)} from ${PENDING_CASH}
        where due.game_id = found.id) as "cashDueCents",
      venues.name as "venueName", venues.city,
      ${toMicros("found.starts_at")} as micros
    from unnest(${statuses}::text[]) as wanted (status) ${place}
    cross join lateral (
      select * from games where games.status = wanted.status and ${isThere}
        and ${inTime(page)} and ${matchesFilter(page)} and ${isPaid(filter)}
        and ${isBeyond(page.after, "starts_at", direction)}
      order by starts_at ${order}, id ${order} limit ${limit + 1}
    ) as found
    join venues on venues.id = found.venue_id
    order by found.starts_at ${order}, found.id ${order} limit ${limit + 1}`.execute(db);
  const games = rows.slice(0, limit);
  const last = rows.length > limit ? games.at(-1) : undefined;
  return { games, next: last ? writeCursor([last.micros, last.id]) : null };
}

const ALL_STATUSES: GameStatus[] = ["Draft", "Published", "Cancelled", "Completed"];
const HELD: GameStatus[] = ["Published", "Completed"];

function statusesOf({ status, lacks }: AdminGameFilter): GameStatus[] {
  const wanted = lacks ? HELD : ALL_STATUSES;
  return status ? wanted.filter((one) => one === status) : wanted;
}

function matchesFilter({ filter, now }: PageQuery): RawBuilder<unknown> {
  const { words } = filter;
  const isNamed = words ? hasWords(sql`title`, words) : sql`true`;
  if (!filter.lacks) return isNamed;
  return sql`${isNamed} and ${isToComplete("games", now)} and ${lacks(filter.lacks, "games")}`;
}

function placeOf({
  venueId,
  city,
}: AdminGameFilter): Record<"place" | "isThere", RawBuilder<unknown>> {
  if (!venueId && !city) return { place: sql``, isThere: sql`true` };
  const isNamed = venueId ? sql`id = ${venueId}` : sql`true`;
  const isInCity = city ? sql`city = ${city}` : sql`true`;
  return {
    place: sql`cross join (select id from venues where ${isNamed} and ${isInCity}) as place`,
    isThere: sql`games.venue_id = place.id`,
  };
}

function isPaid({ pays }: AdminGameFilter): RawBuilder<unknown> {
  if (pays === "cash-back") {
    return sql`exists (select from ${PENDING_CASH} where due.game_id = games.id)`;
  }
  if (pays === null) return sql`true`;
  return sql`exists (select from bookings where game_id = games.id and ${isPaymentOpen("bookings")})`;
}

// No game lasts a day, so this bound on the start lets the index be used.
function inTime({ filter, now }: PageQuery): RawBuilder<unknown> {
  if (filter.when === "to-come") {
    return sql`starts_at > ${now}::timestamptz - interval '25 hours' and ends_at > ${now}`;
  }
  return filter.when === "past" ? sql`starts_at < ${now} and ends_at <= ${now}` : sql`true`;
}

export type PlannedGame = NonNullable<Awaited<ReturnType<typeof findPlannedGame>>>;

export async function findPlannedGame(db: Db, gameId: string | undefined) {
  if (!isId(gameId)) return null;
  const row = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .selectAll("games")
    .select(["venues.name as venueName", "venues.city", "venues.address"])
    .select(REVISION.as("shownRevision"))
    .where("games.id", "=", gameId)
    .executeTakeFirst();
  if (!row) return null;
  const { series_id: seriesId, venueName, city, address, shownRevision: revision } = row;
  const keepsResult = row.keeps_result;
  return { ...toGameToEdit(row), seriesId, venueName, city, address, revision, keepsResult };
}

/** How many weeks were made together with the game, those left out among them; null for one game. */
export async function findWeeksMade(db: Db, gameId: string): Promise<number | null> {
  const { rows } = await sql<{ weeks: number }>`
    select (max(made.date) - min(made.date)) / 7 + 1 as weeks
    from games join games as made using (series_id, created_at)
    where games.id = ${gameId}`.execute(db);
  const weeks = rows[0]?.weeks ?? 1;
  return weeks > 1 ? weeks : null;
}

export type SeriesGame = Awaited<ReturnType<typeof listSeries>>[number];

export async function listSeries(db: Db | Tx, seriesId: string | null) {
  if (!seriesId) return [];
  return db
    .selectFrom("games")
    .select(["id", "date", "start_time as startTime", "starts_at as startsAt", "status"])
    .select(["max_players as maxPlayers", "seats_taken as joinedCount"])
    .where("series_id", "=", seriesId)
    .orderBy("starts_at")
    .orderBy("id")
    .execute();
}

interface VenueChoice extends VenueName {
  lastGameId: string | null;
  lastStartsAt: Date | null;
}

/** Every venue by name, with the last game there that was not cancelled. One query. */
export async function listVenueChoices(db: Db): Promise<VenueChoice[]> {
  const { rows } = await sql<VenueChoice>`
    select venues.id, venues.name, venues.city, venues.is_hidden as "isHidden",
      latest.id as "lastGameId", latest.starts_at as "lastStartsAt"
    from venues
    left join lateral (
      select id, starts_at from unnest(array['Draft', 'Published', 'Completed']) as wanted (status)
      cross join lateral (
        select games.id, games.starts_at from games
        where games.venue_id = venues.id and games.status = wanted.status
        order by games.starts_at desc, games.id desc limit 1
      ) as newest
      order by starts_at desc limit 1
    ) as latest on true
    order by venues.name, venues.id`.execute(db);
  return rows;
}
