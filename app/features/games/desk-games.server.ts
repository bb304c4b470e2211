import { type RawBuilder, sql } from "kysely";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { DeskFilter } from "./desk-filter.ts";

export interface DeskGame {
  id: string;
  title: string;
  date: string;
  startTime: string;
  endTime: string;
  status: GameStatus;
  maxPlayers: number;
  joinedCount: number;
  venueName: string;
  city: string;
}

interface Page {
  filter: DeskFilter;
  now: Date;
  /** Where the page begins, as the page before it has said; null for the first. */
  after: string | null;
  limit: number;
}

/**
 * A page of all games, drafts and cancelled ones too: those to come soonest first, else the latest
 * first. One query. Each status of each venue is read from its own index and no further than the
 * page needs, so that the first of ten games and the last of 100,000 cost the same.
 */
export async function listDeskGames(
  db: Db,
  page: Page,
): Promise<{ games: DeskGame[]; next: string | null }> {
  const { filter, limit } = page;
  const isUpwards = filter.when === "to-come";
  const order = isUpwards ? sql`asc` : sql`desc`;
  const { place, isThere } = placeOf(filter);
  const { rows } = await sql<DeskGame & { micros: string }>`
    select found.id, found.title, found.date, found.start_time as "startTime",
      found.end_time as "endTime", found.status, found.max_players as "maxPlayers",
      found.seats_taken as "joinedCount", venues.name as "venueName", venues.city,
      (extract(epoch from found.starts_at) * 1000000)::bigint::text as micros
    from unnest(${statusesOf(filter)}::text[]) as wanted (status) ${place}
    cross join lateral (
      select * from games where games.status = wanted.status and ${isThere}
        and ${inTime(page)} and ${beyond(page.after, isUpwards)}
      order by starts_at ${order}, id ${order} limit ${limit + 1}
    ) as found
    join venues on venues.id = found.venue_id
    order by found.starts_at ${order}, found.id ${order} limit ${limit + 1}`.execute(db);
  const games = rows.slice(0, limit);
  const last = rows.length > limit ? games.at(-1) : undefined;
  return {
    games,
    next: last ? writeCursor([last.micros, last.id]) : null,
  };
}

const ALL_STATUSES: GameStatus[] = ["Draft", "Published", "Cancelled", "Completed"];

const statusesOf = ({ status }: DeskFilter) => (status ? [status] : ALL_STATUSES);

function placeOf({ venueId, city }: DeskFilter): Record<"place" | "isThere", RawBuilder<unknown>> {
  if (!venueId && !city) return { place: sql``, isThere: sql`true` };
  const isNamed = venueId ? sql`id = ${venueId}` : sql`true`;
  const isInCity = city ? sql`city = ${city}` : sql`true`;
  return {
    place: sql`cross join (select id from venues where ${isNamed} and ${isInCity}) as place`,
    isThere: sql`games.venue_id = place.id`,
  };
}

// No game lasts a day; the bound on its start is what the index is read from.
function inTime({ filter, now }: Page): RawBuilder<unknown> {
  if (filter.when === "to-come") {
    return sql`starts_at > ${now}::timestamptz - interval '25 hours' and ends_at > ${now}`;
  }
  return filter.when === "past" ? sql`starts_at < ${now} and ends_at <= ${now}` : sql`true`;
}

function beyond(after: string | null, isUpwards: boolean): RawBuilder<unknown> {
  const [micros = "", id = ""] = readCursor(after, 2) ?? [];
  if (!/^\d{1,16}$/.test(micros) || !isId(id)) return sql`true`;
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
  return sql`(starts_at, id) ${isUpwards ? sql`>` : sql`<`} (${at}, ${id}::uuid)`;
}
