import { type Selectable, sql } from "kysely";
import { utcDate } from "#app/platform/clock.ts";
import { type Db, isOneOf, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Schema } from "#app/platform/schema.ts";
import { type GameFilter, NO_FILTER } from "./filters.ts";
import { heldNow } from "./held-spots.server.ts";
import { PLAN_VERSION, REVISION } from "./live-games.server.ts";
import { type GamePlan, planColumns, planOf } from "./plan.ts";
import { HOURS, type TimeOfDay } from "./rules.ts";
import type { ShownGame } from "./shown-game.ts";

export type GameCard = Awaited<ReturnType<typeof listUpcomingGames>>[number];
export type GameDetails = NonNullable<Awaited<ReturnType<typeof findGame>>>;
export type GameToEdit = ReturnType<typeof toGameToEdit>;

/** Published games from today (UTC, specification section 9) that have not ended. One query. */
export async function listUpcomingGames(
  db: Db,
  { filter = NO_FILTER, now }: { filter?: GameFilter; now: Date },
) {
  let query = selectCards(db, now)
    .where("games.date", ">=", utcDate(now))
    .where("games.ends_at", ">", now)
    .orderBy("games.date")
    .orderBy("games.start_time")
    .orderBy("games.id");
  if (filter.outdoor !== filter.indoor) query = query.where("is_outdoor", "=", filter.outdoor);
  const { cities, levels } = filter;
  if (cities.length > 0) query = query.where(isOneOf("venues.city", cities, "text"));
  if (levels.length > 0) query = query.where(isOneOf("level", levels, "text"));
  if (filter.times.length > 0) query = query.where((eb) => eb.or(filter.times.map(startsIn)));
  return query.execute();
}

export async function listNextGames(db: Db, { limit, now }: { limit: number; now: Date }) {
  const open = selectCards(db, now).where("starts_at", ">", now).where(hasSpots(now));
  return open.orderBy("starts_at").orderBy("games.id").limit(limit).execute();
}

function selectCards(db: Db, now: Date) {
  return db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select([
      "games.id",
      "games.date",
      "games.start_time as startTime",
      "games.end_time as endTime",
      "games.max_players as maxPlayers",
      "games.seats_taken as joinedCount",
      heldNow(now).as("heldCount"),
      PLAN_VERSION.as("planVersion"),
      "games.is_first_session_free as isFirstSessionFree",
      "games.is_outdoor as isOutdoor",
      "games.game_format as gameFormat",
      "games.level",
      "games.min_players as minPlayers",
      "games.decides_at as decidesAt",
      "games.decision",
      "games.starts_at as startsAt",
      "venues.name as venueName",
      "venues.city",
      sql<string | null>`venues.photo_urls[1]`.as("photoUrl"),
    ])
    .where("games.status", "=", "Published");
}

export const hasSpots = (now: Date) => sql<boolean>`seats_taken + ${heldNow(now)} < max_players`;

const startsIn = (time: TimeOfDay) =>
  sql<boolean>`start_time >= ${HOURS[time].from} and start_time < ${HOURS[time].to}`;

export async function findNextFreeGame(db: Db, now: Date) {
  const game = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["games.id", "starts_at as startsAt", "venues.name as venueName"])
    .where("status", "=", "Published")
    .where("is_first_session_free", "=", true)
    .where("ends_at", ">", now)
    .where("starts_at", ">", now)
    .where(hasSpots(now))
    .orderBy("starts_at")
    .orderBy("games.id")
    .limit(1)
    .executeTakeFirst();
  return game ?? null;
}

const WAITING = sql<number>`(select count(*) from waitlist_entries
  where game_id = games.id and waitlist_entries.status in ('Waiting', 'Offered'))`;
/** Anybody who held a spot for a friend here, ever. */
const HAS_HOLDS = sql<boolean>`exists (select from friend_holds where game_id = games.id)`;

export async function findGame(db: Db, gameId: string, now: Date) {
  if (!isId(gameId)) return null;
  const row = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["games.id", "title", "games.description", "date", "status"])
    .select(["start_time as startTime", "end_time as endTime"])
    .select(["starts_at as startsAt", "ends_at as endsAt"])
    .select(["max_players as maxPlayers", "seats_taken as joinedCount"])
    .select([heldNow(now).as("heldCount"), REVISION.as("revision")])
    .select([WAITING.as("waiting"), HAS_HOLDS.as("hasHolds")])
    .select(["game_format as gameFormat", "is_outdoor as isOutdoor", "level"])
    .select(["min_players as minPlayers", "decides_at as decidesAt", "decision"])
    .select(["is_first_session_free as isFirstSessionFree", "venue_id as venueId"])
    .select(["name", "city", "address", "maps_url as mapsUrl", "is_hidden as isHidden"])
    .select(["photo_urls as photoUrls", "photo_alts as photoAlts"])
    .where("games.id", "=", gameId)
    .executeTakeFirst();
  if (!row) return null;
  const { venueId, name, city, address, mapsUrl, photoUrls, photoAlts, isHidden, ...game } = row;
  const venue = { id: venueId, name, city, address, mapsUrl, photoUrls, photoAlts, isHidden };
  return { ...game, venue };
}

export type LockedGame = NonNullable<Awaited<ReturnType<typeof lockGame>>>;

/** Seat changes wait here, in the order of "Locks" in docs/architecture.md. */
export const lockGame = (tx: Tx, gameId: string) => lockedGame(tx, gameId).executeTakeFirst();

/** The same lock as a statement, to be sent together with what is read after it. */
export const lockedGame = (tx: Tx, gameId: string) => lockedGames(tx).where("id", "=", gameId);

export function lockedGames(tx: Tx) {
  return tx
    .selectFrom("games")
    .select([
      "id",
      "status",
      "version",
      "starts_at as startsAt",
      "ends_at as endsAt",
      "venue_id as venueId",
      "max_players as maxPlayers",
      "seats_taken as joinedCount",
      "spots_held as heldCount",
      "min_players as minPlayers",
      "decides_at as decidesAt",
      "decision",
      "decision_warned_at as warnedAt",
      "is_first_session_free as isFirstSessionFree",
    ])
    .select(VENUE.as("venue"))
    .forUpdate();
}

const VENUE = sql<ShownGame["venue"]>`(
  select json_build_object('id', id, 'name', name, 'address', address, 'city', city)
  from venues where venues.id = venue_id)`;

export interface EditScope {
  gameId: string;
  withFollowing?: boolean;
  now: Date;
}

/** Locks all games that an edit changes, in the order of their ids; returns them by kick-off. */
export async function lockGamesToEdit(tx: Tx, { gameId, withFollowing = false, now }: EditScope) {
  const rows = await tx
    .selectFrom("games")
    .selectAll()
    .where((eb) => {
      const self = eb("id", "=", gameId);
      const chosen = eb.selectFrom("games as chosen").where("chosen.id", "=", gameId);
      const following = eb.and([
        eb("series_id", "=", chosen.select("chosen.series_id")),
        eb("starts_at", ">", chosen.select("chosen.starts_at")),
        eb("starts_at", ">", now),
        eb("status", "in", ["Draft", "Published"]),
      ]);
      return withFollowing ? eb.or([self, following]) : self;
    })
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
    .map((row) => toGameToEdit(row));
}

export function toGameToEdit(game: Selectable<Schema["games"]>) {
  const { id, status, version, starts_at: startsAt, ends_at: endsAt } = game;
  const { seats_taken: joinedCount, spots_held: heldCount } = game;
  const { decides_at: decidesAt, decision } = game;
  const counts = { joinedCount, heldCount };
  const times = { startsAt, endsAt, decidesAt };
  return { id, status, version, ...times, ...counts, decision, plan: planOf(game) };
}

export async function updateGame(tx: Tx, gameId: string, plan: GamePlan) {
  return tx
    .updateTable("games")
    .set(planColumns(plan))
    .where("id", "=", gameId)
    .returning(["version", "starts_at as startsAt", "ends_at as endsAt"])
    .executeTakeFirstOrThrow();
}
