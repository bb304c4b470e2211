import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { findUnfinishedGames, listGamesOfToday } from "./current-games.server.ts";

const database = useDatabase();
beforeEach(async () => {
  await database.pool.query("delete from game_results; delete from bookings; delete from games");
});

async function seat(gameId: string, attendance: string | null = null, status = "Paid") {
  const playerId = await aPlayer(database.db);
  await database.pool.query(
    "insert into bookings (user_id, game_id, payment_status, attendance) values ($1, $2, $3, $4)",
    [playerId, gameId, status, attendance],
  );
}
const recordResultOf = (gameId: string) =>
  database.pool.query(
    `insert into game_results (game_id, first_score, second_score, recorded_at)
     values ($1, 3, 2, now())`,
    [gameId],
  );
const today = async (now = NOW) => (await listGamesOfToday(database.db, now)).map(({ id }) => id);

// Now is Saturday, 12:00 in Helsinki.
test("today's games, what still runs and the next one are due", async () => {
  const { db } = database;
  const yesterday = await aGame(db, { startsIn: -14 });
  const morning = await aGame(db, { startsIn: -3, status: "Completed" });
  const evening = await aGame(db, { startsIn: 7, spots: 8 });
  const tomorrow = await aGame(db, { startsIn: 26 });
  await aGame(db, { startsIn: 30 });
  await aGame(db, { startsIn: 1, status: "Draft" });
  await aGame(db, { startsIn: 2, status: "Cancelled" });
  await seat(evening, "CheckedIn");
  await seat(evening);
  expect(await today()).toEqual([morning, evening]);
  expect((await listGamesOfToday(db, NOW))[1]).toMatchObject({
    ...{ maxPlayers: 8, joinedCount: 2, checkedIn: 1, venueName: "Campus Hall" },
  });
  expect(await today(hoursLater(7))).toEqual([morning, evening, tomorrow]);
  // At 23:00 of the day before it still ran, and nobody plays a completed game again.
  expect(await today(hoursLater(-13))).toEqual([yesterday, evening]);
});

test("a game past midnight is due while it runs", async () => {
  const gameId = await aGame(database.db, { startsIn: 11.5 });
  expect(await today(hoursLater(12.5))).toEqual([gameId]);
  expect(await today(hoursLater(13.5))).toEqual([]);
});

test("a game that is over waits for attendance and result, for 14 days", async () => {
  const { db } = database;
  const [none, some, done, empty, running, old] = await Promise.all(
    [-24, -48, -72, -30, -1, -15 * 24].map((startsIn) => aGame(db, { startsIn })),
  );
  await seat(none!);
  await seat(some!, "NoShow");
  await seat(some!);
  await seat(some!, null, "Cancelled");
  await recordResultOf(some!);
  await seat(done!, "CheckedIn");
  await recordResultOf(done!);
  await seat(running!);
  await seat(old!);
  expect(empty).toBeDefined();
  const unfinished = await findUnfinishedGames(db, { now: NOW, limit: 9 });
  expect(unfinished.games).toMatchObject([
    { id: none, players: 1, unmarked: 1, hasResult: false },
    { id: some, players: 2, unmarked: 1, hasResult: true },
  ]);
  expect(unfinished).toMatchObject({ count: 2, withoutMarks: 2, withoutResult: 1 });
  const newest = await findUnfinishedGames(db, { now: NOW, limit: 1 });
  expect(newest).toEqual({ ...unfinished, games: [unfinished.games[0]] });
});
