import { type ExpressionBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { utcDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { Schema } from "#app/platform/schema.ts";
import { GAMES_ON_CARD, GAMES_ON_PAGE } from "./rules.ts";

export interface VenueGame {
  id: string;
  title: string;
  date: string;
  startTime: string;
  priceCents: number;
  isFirstSessionFree: boolean;
  maxPlayers: number;
  joinedCount: number;
}

export interface VenueCard {
  id: string;
  name: string;
  city: string;
  description: string;
  photoUrl: string | null;
  upcomingGames: VenueGame[];
}

/**
 * The venues that players see by name, each with its next games; of some cities only where any are
 * given. One query.
 */
export async function listVenues(
  db: Db,
  { cities, now }: { cities: string[]; now: Date },
): Promise<VenueCard[]> {
  let query = db
    .selectFrom("venues")
    .select((eb) => [
      "id",
      "name",
      "city",
      "description",
      sql<string | null>`photo_urls[1]`.as("photoUrl"),
      nextGames(eb, now, GAMES_ON_CARD),
    ])
    .where("is_hidden", "=", false)
    .orderBy("name")
    .orderBy("id");
  if (cities.length > 0) query = query.where("city", "in", cities);
  const venues = await query.execute();
  return venues.map((venue) => ({ ...venue, upcomingGames: venue.upcomingGames.map(inCents) }));
}

export interface VenueDetails {
  id: string;
  name: string;
  city: string;
  address: string | null;
  description: string;
  mapsUrl: string | null;
  website: string | null;
  photoUrls: string[];
  photoAlts: string[];
  isHidden: boolean;
  upcomingGames: VenueGame[];
}

/** A venue with its next games, hidden or not; null where the id is unknown or no id at all. */
export async function findVenue(
  db: Db,
  { venueId, now }: { venueId: string; now: Date },
): Promise<VenueDetails | null> {
  if (!isId(venueId)) return null;
  const venue = await db
    .selectFrom("venues")
    .select((eb) => [
      "id",
      "name",
      "city",
      "address",
      "description",
      "maps_url as mapsUrl",
      "website",
      "photo_urls as photoUrls",
      "photo_alts as photoAlts",
      "is_hidden as isHidden",
      nextGames(eb, now, GAMES_ON_PAGE),
    ])
    .where("id", "=", venueId)
    .executeTakeFirst();
  return venue ? { ...venue, upcomingGames: venue.upcomingGames.map(inCents) } : null;
}

/** The cities that have a venue which players see, for the filter. */
export async function listCities(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("venues")
    .select("city")
    .distinct()
    .where("is_hidden", "=", false)
    .orderBy("city")
    .execute();
  return rows.map(({ city }) => city);
}

/** The ids of the venues that players see, by name. */
export async function listVenueIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("venues")
    .select("id")
    .where("is_hidden", "=", false)
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Published games from today (UTC, specification section 9) that have not ended, soonest first. */
function nextGames(eb: ExpressionBuilder<Schema, "venues">, now: Date, count: number) {
  const games = eb
    .selectFrom("games")
    .select([
      "games.id",
      "games.title",
      "games.date",
      "games.start_time as startTime",
      sql<string>`games.price_eur::text`.as("priceEur"),
      "games.is_first_session_free as isFirstSessionFree",
      "games.max_players as maxPlayers",
      "games.seats_taken as joinedCount",
    ])
    .whereRef("games.venue_id", "=", "venues.id")
    .where("games.status", "=", "Published")
    .where("games.date", ">=", utcDate(now))
    .where("games.ends_at", ">", now)
    .orderBy("games.date")
    .orderBy("games.start_time")
    .orderBy("games.id")
    .limit(count);
  return jsonArrayFrom(games).as("upcomingGames");
}

function inCents({ priceEur, ...game }: Omit<VenueGame, "priceCents"> & { priceEur: string }) {
  return { ...game, priceCents: centsFromNumeric(priceEur) };
}
