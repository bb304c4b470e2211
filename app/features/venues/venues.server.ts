import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { utcDate } from "#app/platform/clock.ts";
import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Schema } from "#app/platform/schema.ts";
import { GAMES_ON_CARD, GAMES_ON_PAGE } from "./rules.ts";

interface ShownGames {
  now: Date;
  /** SQL for `games`: the spots that are held now, by the rule of that feature. */
  held: RawBuilder<number>;
}

type VenueCard = Awaited<ReturnType<typeof listVenues>>[number];
export type VenueDetails = NonNullable<Awaited<ReturnType<typeof findVenue>>>;
export type VenueGame = VenueCard["upcomingGames"][number];

export async function listVenues(db: Db, { cities, ...shown }: { cities: string[] } & ShownGames) {
  let query = visibleVenues(db)
    .select(["id", "name", "city", "description"])
    .select(sql<string | null>`photo_urls[1]`.as("photoUrl"))
    .select((eb) => nextGames(eb, shown, GAMES_ON_CARD));
  if (cities.length > 0) query = query.where(isOneOf("city", cities, "text"));
  return query.execute();
}

/** A venue with its next games, hidden or not; null where the id is unknown or no id at all. */
export async function findVenue(db: Db, { venueId, ...shown }: { venueId: string } & ShownGames) {
  if (!isId(venueId)) return null;
  const query = db
    .selectFrom("venues")
    .select(["id", "name", "city", "address", "description", "maps_url as mapsUrl", "website"])
    .select(["photo_urls as photoUrls", "photo_alts as photoAlts", "is_hidden as isHidden"])
    .select((eb) => nextGames(eb, shown, GAMES_ON_PAGE))
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
function nextGames(
  eb: ExpressionBuilder<Schema, "venues">,
  { now, held }: ShownGames,
  count: number,
) {
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
      held.as("heldCount"),
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
  const venues = db.selectFrom("venues").select(["id", "name", "city"]).where(isOneOf("id", ids));
  const rows = await venues.execute();
  return new Map(rows.map(({ id, name, city }) => [id, `${name}, ${city}`]));
}

/** Which of these are hidden. Until the transaction ends, none is hidden or deleted, and nobody
 * else plans a game there. */
export async function lockVenues(tx: Tx, ids: string[]): Promise<Map<string, boolean>> {
  if (ids.length === 0) return new Map();
  const venues = tx.selectFrom("venues").select(["id", "is_hidden as isHidden"]);
  const rows = await venues.where(isOneOf("id", ids)).orderBy("id").forNoKeyUpdate().execute();
  return new Map(rows.map(({ id, isHidden }) => [id, isHidden]));
}

export async function lockAndCheckVenue(tx: Tx, venueId: string): Promise<boolean> {
  return isId(venueId) && (await lockVenues(tx, [venueId])).get(venueId) === false;
}
