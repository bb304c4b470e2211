import type { Db } from "#app/platform/db.server.ts";

export const NEXT_GAMES = 3;

export type NextGame = Awaited<ReturnType<typeof listOpenGames>>[number];

/** By kick-off: the next published games with spots left, and the next that is free for newcomers. */
export async function findNextGames(db: Db, now: Date) {
  const games = await listOpenGames(db, now);
  const free = games.find(({ isFirstSessionFree }) => isFirstSessionFree);
  return { next: games.slice(0, NEXT_GAMES), free: free ?? null };
}

async function listOpenGames(db: Db, now: Date) {
  const open = db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["games.id", "date", "start_time as startTime", "starts_at as startsAt"])
    .select(["max_players as maxPlayers", "seats_taken as joinedCount"])
    .select(["is_first_session_free as isFirstSessionFree", "name as venueName", "city"])
    .where("status", "=", "Published")
    .where("starts_at", ">", now)
    .whereRef("seats_taken", "<", "max_players")
    .orderBy("starts_at")
    .orderBy("games.id");
  const next = open.limit(NEXT_GAMES);
  const free = open.where("is_first_session_free", "=", true).limit(1);
  // A union leaves out the one that is in both.
  const either = db.selectFrom(next.as("next")).selectAll();
  return either
    .union(db.selectFrom(free.as("free")).selectAll())
    .orderBy("startsAt")
    .orderBy("id")
    .execute();
}
