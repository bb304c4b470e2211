import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { VenueName } from "#app/features/venues/venues.server.ts";
import { planOf } from "./plan.server.ts";

/** A game as the desk shows and edits it; null where the id is unknown or no id at all. */
export async function findPlannedGame(db: Db, gameId: string | undefined) {
  if (!isId(gameId)) return null;
  const row = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .selectAll("games")
    .select(["venues.name as venueName", "venues.city"])
    .where("games.id", "=", gameId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    status: row.status,
    version: row.version,
    seriesId: row.series_id,
    startsAt: row.starts_at,
    joinedCount: row.seats_taken,
    venueName: row.venueName,
    city: row.city,
    plan: planOf(row),
  };
}

export type PlannedGame = NonNullable<Awaited<ReturnType<typeof findPlannedGame>>>;

export interface SeriesGame {
  id: string;
  date: string;
  startTime: string;
  status: GameStatus;
  maxPlayers: number;
  joinedCount: number;
}

/** The games of a series by kick-off; none without one. */
export async function listSeries(db: Db | Tx, seriesId: string | null): Promise<SeriesGame[]> {
  if (!seriesId) return [];
  return db
    .selectFrom("games")
    .select([
      "id",
      "date",
      "start_time as startTime",
      "status",
      "max_players as maxPlayers",
      "seats_taken as joinedCount",
    ])
    .where("series_id", "=", seriesId)
    .orderBy("starts_at")
    .orderBy("id")
    .execute();
}

export interface VenueChoice extends VenueName {
  /** The last game to be played there, which the next one is probably like. */
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
