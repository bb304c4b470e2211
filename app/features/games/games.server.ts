import { sql } from "kysely";
import { utcDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { GameFilter } from "./input.ts";

export interface GameCard {
  id: string;
  date: string;
  startTime: string;
  endTime: string;
  maxPlayers: number;
  joinedCount: number;
  isFirstSessionFree: boolean;
  venueName: string;
  city: string;
  photoUrl: string | null;
  photoAlt: string | null;
}

/**
 * Published games from today (UTC, specification section 9) that have not ended, soonest first.
 * One query, whatever their number.
 */
export async function listUpcomingGames(
  db: Db,
  { filter, now }: { filter: GameFilter; now: Date },
): Promise<GameCard[]> {
  let query = db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select([
      "games.id",
      "games.date",
      "games.start_time as startTime",
      "games.end_time as endTime",
      "games.max_players as maxPlayers",
      "games.seats_taken as joinedCount",
      "games.is_first_session_free as isFirstSessionFree",
      "venues.name as venueName",
      "venues.city",
      sql<string | null>`venues.photo_urls[1]`.as("photoUrl"),
      sql<string | null>`venues.photo_alts[1]`.as("photoAlt"),
    ])
    .where("games.status", "=", "Published")
    .where("games.date", ">=", utcDate(now))
    .where("games.ends_at", ">", now)
    .orderBy("games.date")
    .orderBy("games.start_time")
    .orderBy("games.id");
  if (filter.outdoor !== filter.indoor) query = query.where("is_outdoor", "=", filter.outdoor);
  if (filter.cities.length > 0) query = query.where("venues.city", "in", filter.cities);
  return query.execute();
}

export interface GameDetails {
  id: string;
  title: string;
  description: string;
  date: string;
  startTime: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
  status: GameStatus;
  maxPlayers: number;
  joinedCount: number;
  gameFormat: string;
  isOutdoor: boolean;
  isFirstSessionFree: boolean;
  venue: {
    id: string;
    name: string;
    city: string;
    address: string | null;
    mapsUrl: string | null;
    photoUrls: string[];
    photoAlts: string[];
    /** Its page is there for organisers only. */
    isHidden: boolean;
  };
}

/** A game with its venue, whatever its status; null where the id is unknown or no id at all. */
export async function findGame(db: Db, gameId: string): Promise<GameDetails | null> {
  if (!isId(gameId)) return null;
  const row = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .selectAll("games")
    .select([
      "venues.name",
      "venues.city",
      "venues.address",
      "venues.maps_url",
      "venues.photo_urls",
      "venues.photo_alts",
      "venues.is_hidden",
    ])
    .where("games.id", "=", gameId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    date: row.date,
    startTime: row.start_time,
    endTime: row.end_time,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    status: row.status,
    maxPlayers: row.max_players,
    joinedCount: row.seats_taken,
    gameFormat: row.game_format,
    isOutdoor: row.is_outdoor,
    isFirstSessionFree: row.is_first_session_free,
    venue: {
      id: row.venue_id,
      name: row.name,
      city: row.city,
      address: row.address,
      mapsUrl: row.maps_url,
      photoUrls: row.photo_urls,
      photoAlts: row.photo_alts,
      isHidden: row.is_hidden,
    },
  };
}
