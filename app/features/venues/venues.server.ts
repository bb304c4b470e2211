import { type ExpressionBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { utcDate } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Schema } from "#app/platform/schema.ts";
import { GAMES_ON_CARD, GAMES_ON_PAGE } from "./rules.ts";

export type VenueCard = Awaited<ReturnType<typeof listVenues>>[number];
export type VenueDetails = NonNullable<Awaited<ReturnType<typeof findVenue>>>;
export type VenueGame = VenueCard["upcomingGames"][number];

/** The venues that players see by name, with their next games; of all cities where none is given. */
export async function listVenues(db: Db, { cities, now }: { cities: string[]; now: Date }) {
  let query = visibleVenues(db)
    .select(["id", "name", "city", "description"])
    .select(sql<string | null>`photo_urls[1]`.as("photoUrl"))
    .select((eb) => nextGames(eb, now, GAMES_ON_CARD));
  if (cities.length > 0) query = query.where("city", "in", cities);
  return query.execute();
}

/** A venue with its next games, hidden or not; null where the id is unknown or no id at all. */
export async function findVenue(db: Db, { venueId, now }: { venueId: string; now: Date }) {
  if (!isId(venueId)) return null;
  const query = db
    .selectFrom("venues")
    .select(["id", "name", "city", "address", "description", "maps_url as mapsUrl", "website"])
    .select(["photo_urls as photoUrls", "photo_alts as photoAlts", "is_hidden as isHidden"])
    .select((eb) => nextGames(eb, now, GAMES_ON_PAGE))
    .where("id", "=", venueId);
  return (await query.executeTakeFirst()) ?? null;
}

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

export async function listVenueIds(db: Db): Promise<string[]> {
  return (await visibleVenues(db).select("id").execute()).map(({ id }) => id);
}

const visibleVenues = (db: Db) =>
  db.selectFrom("venues").where("is_hidden", "=", false).orderBy("name").orderBy("id");

/** Published games from today (UTC, specification section 9) that have not ended, soonest first. */
function nextGames(eb: ExpressionBuilder<Schema, "venues">, now: Date, count: number) {
  const games = eb
    .selectFrom("games")
    .select([
      "games.id",
      "games.title",
      "games.date",
      "games.start_time as startTime",
      sql<number>`(games.price_eur * 100)::bigint`.as("priceCents"),
      "games.is_first_session_free as isFirstSessionFree",
      "games.max_players as maxPlayers",
      "games.seats_taken as joinedCount",
      "games.spots_held as heldCount",
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

export type VenueName = Awaited<ReturnType<typeof listVenueNames>>[number];

export function listVenueNames(db: Db) {
  return db
    .selectFrom("venues")
    .select(["id", "name", "city", "is_hidden as isHidden"])
    .orderBy("name")
    .orderBy("id")
    .execute();
}

export async function findVenueNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const venues = db.selectFrom("venues").select(["id", "name", "city"]).where("id", "in", ids);
  const rows = await venues.execute();
  return new Map(rows.map(({ id, name, city }) => [id, `${name}, ${city}`]));
}

/** Whether new games can be put there. Until the transaction ends it is neither deleted nor hidden. */
export async function lockAndCheckVenue(tx: Tx, venueId: string): Promise<boolean> {
  if (!isId(venueId)) return false;
  const venue = tx.selectFrom("venues").select("is_hidden").where("id", "=", venueId).forShare();
  return (await venue.executeTakeFirst())?.is_hidden === false;
}
