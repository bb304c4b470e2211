import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ben, NOW } from "#test/fixtures.ts";
import { findStats } from "#app/features/players/cards.server.ts";
import { aPlayedGame, playedGames } from "#test/games.ts";
import { findProgress } from "./rewards.server.ts";

const database = useDatabase();
const ZERO = { month: "2026-11", gamesCompleted: 0, isClaimed: false };

async function completed(playerId: string, now = NOW) {
  return (await findProgress(database.db, { playerId, now })).gamesCompleted;
}

test("without games there is no progress", async () => {
  const playerId = await ben(database.db);
  expect(await findProgress(database.db, { playerId, now: NOW })).toEqual(ZERO);
  expect(await findStats(database.db, playerId, NOW)).toMatchObject({ joined: 0, created: 0 });
});

// spec: 7.32
test("counts the player's own Paid bookings of finished, uncancelled games", async () => {
  const [playerId, other] = [await ben(database.db), await ben(database.db)];
  await playedGames(database.db, playerId, 3);
  await playedGames(database.db, other, 1);
  for (const paymentStatus of ["Unpaid", "Refunded", "Cancelled"] as const) {
    await aPlayedGame(database.db, { playerId, paymentStatus });
  }
  await aPlayedGame(database.db, { playerId, game: { status: "Cancelled" } });
  await aPlayedGame(database.db, { playerId, game: { status: "Completed" } });
  await aPlayedGame(database.db, { playerId, endedAt: new Date(NOW.getTime() + 60_000) });
  expect(await completed(playerId)).toBe(4);
  expect(await findStats(database.db, playerId, NOW)).toMatchObject({ joined: 4, created: 0 });
  expect(await completed(other)).toBe(1);
});

test("a no-show was paid for and counts, for the challenge and the stats alike", async () => {
  const playerId = await ben(database.db);
  await playedGames(database.db, playerId, 2);
  await database.db
    .updateTable("bookings")
    .set({ attendance: "NoShow" })
    .where("user_id", "=", playerId)
    .execute();
  expect(await completed(playerId)).toBe(2);
  expect(await findStats(database.db, playerId, NOW)).toMatchObject({ joined: 2 });
});

// Helsinki is two hours ahead of UTC in winter, three in summer.
test.each([
  ["the month's first instant", "2026-10-31T22:00:00Z", 1],
  ["a second before it", "2026-10-31T21:59:59Z", 0],
  ["UTC's first of the month", "2026-11-01T00:00:00Z", 1],
  ["this very instant", NOW.toISOString(), 1],
  ["a second from now", "2026-11-21T10:00:01Z", 0],
  ["a year ago", "2025-11-20T10:00:00Z", 0],
])("a game that ended at %s", async (_, endedAt, count) => {
  const playerId = await ben(database.db);
  await aPlayedGame(database.db, { playerId, endedAt: new Date(endedAt) });
  expect(await completed(playerId)).toBe(count);
});

// spec: 4.33, 9.15
test.each([
  ["2026-08-31T20:59:59Z", "2026-08"],
  ["2026-08-31T21:00:00Z", "2026-09"],
  ["2026-12-31T21:59:59Z", "2026-12"],
  ["2026-12-31T22:00:00Z", "2027-01"],
])("at %s the month is %s, and last month's games are gone", async (instant, month) => {
  const playerId = await ben(database.db);
  const now = new Date(instant);
  await aPlayedGame(database.db, { playerId, endedAt: new Date(now.getTime() - 1_000) });
  const progress = await findProgress(database.db, { playerId, now });
  const isFirstInstant = instant.endsWith("00:00Z");
  expect(progress).toEqual({ month, gamesCompleted: isFirstInstant ? 0 : 1, isClaimed: false });
});

test("the month in which clocks change begins where its first day does", async () => {
  const playerId = await ben(database.db);
  // March begins in winter time and ends in summer time.
  for (const endedAt of ["2027-02-28T21:59:59Z", "2027-02-28T22:00:00Z", "2027-03-28T12:00:00Z"]) {
    await aPlayedGame(database.db, { playerId, endedAt: new Date(endedAt) });
  }
  expect(await completed(playerId, new Date("2027-03-31T20:59:59Z"))).toBe(2);
  expect(await completed(playerId, new Date("2027-03-31T21:00:00Z"))).toBe(0);
});

test("a game past midnight counts for the month in which it ended", async () => {
  const playerId = await ben(database.db);
  await aPlayedGame(database.db, { playerId, endedAt: new Date("2026-10-31T22:30:00Z") });
  expect(await completed(playerId)).toBe(1);
});
