import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, ben, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { statementsSent } from "#test/plans.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { deleteGames } from "./delete-games.server.ts";
import { publishGame, unpublishGame } from "./publish-game.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { editGame } from "./edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "./message-players.server.ts";
import { playAnyway } from "./play-anyway.server.ts";
import { checkInRest } from "#app/features/roster/roster.server.ts";

/*
 * A request has a few seconds of the database, and what an organiser does may be about 200 players
 * or 26 games: it takes as many statements with many of them as with few.
 */
const database = useDatabase();
const FEW = 3;
const MANY = 20;
let actorId: string;
let players: string[];
beforeAll(async () => {
  actorId = await ben(database.db);
  players = await somePlayers(database.db, MANY, 200);
});

async function fullGame(count: number, startsIn = 60): Promise<string> {
  const game = { startsIn, spots: 100, min_players: 50, decides_hours: 1 };
  const gameId = await aGame(database.db, game);
  for (const playerId of players.slice(0, count)) {
    const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
    if (!joined.ok) throw new Error(joined.reason);
  }
  return gameId;
}
const versionOf = async (id: string) => {
  const game = database.db.selectFrom("games").select("version").where("id", "=", id);
  return (await game.executeTakeFirstOrThrow()).version;
};
async function seatsOf(gameId: string) {
  const seats = database.db.selectFrom("bookings").select("id").where("game_id", "=", gameId);
  return (await seats.execute()).map(({ id }) => id);
}
async function aSeries(weeks: number, status: "Draft" | "Published") {
  const plan = aPlan(await aVenue(database.db), { date: "2026-11-25" });
  const series = { plan, weeks, status, actorId, now: NOW };
  const made = await createGames(database.db, series);
  const asked = !made.ok && made.reason === "unconfirmed" ? { confirmed: made.key } : null;
  const again = asked ? await createGames(database.db, { ...series, ...asked }) : made;
  if (!again.ok) throw new Error(again.reason);
  return again.gameIds;
}

type Action = (db: Db) => Promise<{ ok: boolean }>;

/** What is done to so many players, or games; the rest is prepared before. */
const ACTIONS: Record<string, (count: number) => Promise<Action>> = {
  async "cancelling a game with a message"(count) {
    const gameId = await fullGame(count);
    const form = { gameId, actor: actorId, message: "The hall is flooded.", now: NOW };
    return (db) => cancelGame(db, database.jobs, form);
  },
  async "a message to all"(count) {
    const gameId = await fullGame(count);
    const text = { messageId: crypto.randomUUID(), subject: "Shoes", message: "Two pairs." };
    return (db) => messagePlayers(db, database.jobs, { gameId, actorId, ...text, now: NOW });
  },
  async "checking in the rest"(count) {
    const gameId = await fullGame(count);
    const bookingIds = await seatsOf(gameId);
    return (db) => checkInRest(db, { gameId, bookingIds, actorId, now: hoursLater(60) });
  },
  async "playing with too few"(count) {
    const gameId = await fullGame(count);
    const wish = { gameId, actorId, version: await versionOf(gameId), now: NOW };
    return (db) => playAnyway(db, database.jobs, wish);
  },
  async "moving a game"(count) {
    const gameId = await fullGame(count);
    const plan = aPlan(await aVenue(database.db), { maxPlayers: 100, date: "2026-12-09" });
    const edit = { gameId, actorId, version: await versionOf(gameId), plan, now: NOW };
    const form = { ...edit, withFollowing: false };
    const asked = await editGame(database.db, database.jobs, form);
    const confirmed = !asked.ok && asked.reason === "unconfirmed" ? asked.key : undefined;
    return (db) => editGame(db, database.jobs, { ...form, ...(confirmed && { confirmed }) });
  },
  async "creating a series"(count) {
    const plan = aPlan(await aVenue(database.db), { date: "2026-11-25" });
    const series = { plan, weeks: Math.min(count, 8), status: "Published" as const, actorId };
    return (db) => createGames(db, { ...series, now: NOW });
  },
  async "publishing a series"(count) {
    const [gameId = ""] = await aSeries(Math.min(count, 8), "Draft");
    return (db) => publishGame(db, { gameId, withFollowing: true, actorId, now: NOW });
  },
  async "taking a series back"(count) {
    const [gameId = ""] = await aSeries(count, "Published");
    return (db) => unpublishGame(db, { gameId, withFollowing: true, actorId, now: NOW });
  },
  async "deleting a series"(count) {
    const gameIds = await aSeries(count, "Draft");
    return (db) => deleteGames(db, { gameIds, actorId, formKey: undefined, now: NOW });
  },
};

test.each(Object.keys(ACTIONS))("%s takes as many statements for many as for few", async (name) => {
  const counts: string[][] = [];
  for (const count of [FEW, MANY]) {
    const action = await ACTIONS[name]!(count);
    const sent = await statementsSent(
      database.pool,
      async (db) => expect(await action(db)).toMatchObject({ ok: true }),
      // The tests' own look at the locks of an email is no part of it.
      /^\s*(?!\s|select from pg_locks)/,
    );
    counts.push(sent.map((statement) => statement.sql));
  }
  expect(counts[1]!.length).toBe(counts[0]!.length);
  // Each text is prepared under a name of its own.
  expect(counts[1]!.filter((text) => !counts[0]!.includes(text))).toEqual([]);
});
