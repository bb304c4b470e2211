import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aVenue, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlayedGame } from "#test/games.ts";
import { findStats } from "./cards.server.ts";

const database = useDatabase();
let playerId: string;
beforeEach(async () => {
  playerId = await ben(database.db);
});

const stats = (now: Date) => findStats(database.db, playerId, now);
const endedAt = (...instants: string[]) =>
  Promise.all(instants.map((at) => aPlayedGame(database.db, { playerId, endedAt: new Date(at) })));

test("a player without a game has none of them", async () => {
  expect(await stats(NOW)).toEqual({
    ...{ joined: 0, created: 0, wins: null, goals: null },
    ...{ thisMonth: 0, weeksInARow: 0, favouriteVenue: null },
  });
});

// Helsinki is two hours ahead of UTC in winter, three in summer.
describe("games this month", () => {
  test.each([
    ["the first minute of December", "2026-11-30T22:00:00Z", "2026-11-30T22:00:00Z", 1],
    ["the last minute of November, in December", "2026-11-30T21:59:00Z", "2026-11-30T22:00:00Z", 0],
    ["the last minute of November, still in it", "2026-11-30T21:59:00Z", "2026-11-30T21:59:30Z", 1],
    ["the first minute of the year", "2026-12-31T22:00:00Z", "2027-01-05T10:00:00Z", 1],
    ["the last minute of the old year", "2026-12-31T21:59:00Z", "2027-01-05T10:00:00Z", 0],
    ["December of the year before", "2025-12-20T18:00:00Z", "2026-12-20T20:00:00Z", 0],
    [
      "the first minute of April, in summer time",
      "2027-03-31T21:00:00Z",
      "2027-04-02T10:00:00Z",
      1,
    ],
    ["the last minute of March, in summer time", "2027-03-31T20:59:00Z", "2027-04-02T10:00:00Z", 0],
    ["a day later", "2026-11-22T10:00:00Z", "2026-11-21T10:00:00Z", 0],
  ])("one that ended in %s", async (_, ended, now, count) => {
    await endedAt(ended);
    expect((await stats(new Date(now))).thisMonth).toBe(count);
  });
});

describe("weeks in a row", () => {
  // NOW is the Saturday of a week that began on November 16.
  test.each<[string, number, string[]]>([
    ["one game this week", 1, ["2026-11-16T18:00:00Z"]],
    ["several in a week are one week", 1, ["2026-11-16T18:00:00Z", "2026-11-20T18:00:00Z"]],
    ["this week and the last", 2, ["2026-11-20T18:00:00Z", "2026-11-09T18:00:00Z"]],
    ["none this week yet", 1, ["2026-11-15T18:00:00Z"]],
    ["none last week either", 0, ["2026-11-08T18:00:00Z", "2026-11-01T18:00:00Z"]],
    ["a week is missing", 1, ["2026-11-18T18:00:00Z", "2026-11-04T18:00:00Z"]],
    [
      "what was before the missing week does not count",
      2,
      [
        "2026-11-18T18:00:00Z",
        "2026-11-11T18:00:00Z",
        "2026-10-28T18:00:00Z",
        "2026-10-21T18:00:00Z",
      ],
    ],
    [
      "the clocks went back on October 25",
      5,
      [
        ...["2026-11-18T18:00:00Z", "2026-11-11T18:00:00Z", "2026-11-04T18:00:00Z"],
        ...["2026-10-26T00:30:00Z", "2026-10-25T19:00:00Z"],
      ],
    ],
  ])("%s: %i", async (_, weeks, games) => {
    await endedAt(...games);
    expect((await stats(NOW)).weeksInARow).toBe(weeks);
  });

  test("go on over the end of a year and of winter time", async () => {
    await endedAt("2026-12-30T18:00:00Z", "2027-01-03T20:00:00Z", "2027-01-04T20:00:00Z");
    expect((await stats(new Date("2027-01-10T21:59:00Z"))).weeksInARow).toBe(2);
    expect((await stats(new Date("2027-01-17T21:59:00Z"))).weeksInARow).toBe(2);
    expect((await stats(new Date("2027-01-17T22:00:00Z"))).weeksInARow).toBe(0);
    await endedAt("2027-03-22T20:00:00Z", "2027-03-29T18:00:00Z");
    expect((await stats(new Date("2027-04-11T20:59:00Z"))).weeksInARow).toBe(2);
    expect((await stats(new Date("2027-04-11T21:00:00Z"))).weeksInARow).toBe(0);
  });

  test("a game right after midnight is Monday's", async () => {
    await endedAt("2026-11-15T23:30:00Z");
    expect((await stats(new Date("2026-11-29T21:59:00Z"))).weeksInARow).toBe(1);
  });

  test("a game from Sunday to Monday is Sunday's", async () => {
    await endedAt("2026-11-15T22:30:00Z");
    expect((await stats(new Date("2026-11-22T21:59:00Z"))).weeksInARow).toBe(1);
    expect((await stats(new Date("2026-11-22T22:00:00Z"))).weeksInARow).toBe(0);
  });
});

describe("the favourite venue", () => {
  const play = (venue_id: string, hoursAgo: number) =>
    aPlayedGame(database.db, { playerId, endedAt: hoursLater(-hoursAgo), game: { venue_id } });

  test("is where most games were", async () => {
    const [cage, hall] = [
      await aVenue(database.db, { name: "Cage" }),
      await aVenue(database.db, { name: "Hall" }),
    ];
    await play(cage, 300);
    await play(cage, 200);
    await play(hall, 10);
    expect((await stats(NOW)).favouriteVenue).toBe("Cage");
    await play(hall, 20);
    // Equally often: the latest game's decides.
    expect((await stats(NOW)).favouriteVenue).toBe("Hall");
  });

  test("counts only games that were paid for, took place and are over", async () => {
    const [cage, hall] = [
      await aVenue(database.db, { name: "Cage" }),
      await aVenue(database.db, { name: "Hall" }),
    ];
    await play(hall, 400);
    await play(cage, -5);
    await play(cage, -9);
    for (const wish of [
      { paymentStatus: "Refunded" as const, game: { venue_id: cage } },
      { game: { venue_id: cage, status: "Cancelled" as const } },
    ]) {
      await aPlayedGame(database.db, { playerId, ...wish });
      await aPlayedGame(database.db, { playerId, ...wish });
    }
    expect(await stats(NOW)).toMatchObject({ joined: 1, thisMonth: 1, favouriteVenue: "Hall" });
  });
});
