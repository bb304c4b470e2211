import { beforeAll, describe, expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW, somePlayers } from "#test/fixtures.ts";
import { countActivePlayers, countGames, countNoShows } from "./metrics.server.ts";

const database = useDatabase();
const DAY = 24;
const question = { weeks: weeksUntil(NOW, 3), venueId: null as string | null, now: NOW };
const READS = { countActivePlayers, countGames, countNoShows };

async function seat(userId: string, gameId: string, status = "Paid", attendance?: string) {
  await database.pool.query(
    `insert into bookings (user_id, game_id, payment_status, attendance) values ($1, $2, $3, $4)`,
    [userId, gameId, status, attendance ?? null],
  );
}

test.each(Object.entries(READS))(
  "%s has nothing to tell before the first game",
  async (_, read) => {
    await aGame(database.db, { startsIn: 1 });
    await aGame(database.db, { startsIn: -1, status: "Draft" });
    await aGame(database.db, { startsIn: -2, status: "Cancelled" });
    expect(await read(database.db, question)).toBeNull();
  },
);

// Now is the Saturday of the last of the three weeks, the 21st of its month.
describe("three weeks", () => {
  let hall: string;
  beforeAll(async () => {
    const { db } = database;
    hall = await aVenue(db);
    const [one, two, three, four] = await somePlayers(db, 4, 0);
    const thisWeek = await aGame(db, { startsIn: -DAY, spots: 4, venue_id: hall });
    const sameWeek = await aGame(db, { startsIn: -2 * DAY, spots: 6, status: "Completed" });
    const lastWeek = await aGame(db, { startsIn: -7 * DAY, spots: 2 });
    const longAgo = await aGame(db, { startsIn: -30 * DAY, spots: 9 });
    await seat(one!, thisWeek, "Paid", "CheckedIn");
    await seat(two!, thisWeek, "Unpaid", "NoShow");
    await seat(three!, thisWeek, "Refunded", "NoShow");
    await seat(one!, sameWeek);
    await seat(three!, lastWeek, "Paid", "NoShow");
    await seat(four!, longAgo, "Paid", "NoShow");
  });

  test("counts games that have kicked off, with their spots", async () => {
    expect(await countGames(database.db, question)).toEqual([
      { games: 0, spots: 0, taken: 0 },
      { games: 1, spots: 2, taken: 1 },
      { games: 2, spots: 10, taken: 3 },
    ]);
  });

  test("a player with two games in a week is active once", async () => {
    expect(await countActivePlayers(database.db, question)).toEqual({
      thisMonth: 3,
      byWeek: [0, 1, 2],
    });
  });

  test("no-shows count among marked players who still have the seat", async () => {
    expect(await countNoShows(database.db, question)).toEqual([
      { marked: 0, noShows: 0 },
      { marked: 1, noShows: 1 },
      { marked: 2, noShows: 1 },
    ]);
  });

  test("counts one venue alone", async () => {
    const atHall = { ...question, venueId: hall };
    expect((await countGames(database.db, atHall))!.map(({ spots }) => spots)).toEqual([0, 0, 4]);
    const active = await countActivePlayers(database.db, atHall);
    expect(active).toEqual({ thisMonth: 2, byWeek: [0, 0, 2] });
    expect((await countNoShows(database.db, atHall))!.map(({ marked }) => marked)).toEqual([
      0, 0, 2,
    ]);
  });

  test("a week begins on Monday in Helsinki", async () => {
    await aGame(database.db, { startsIn: 0, date: "2026-11-15", start_time: "23:59", spots: 100 });
    await aGame(database.db, { startsIn: 0, date: "2026-11-16", start_time: "00:00", spots: 50 });
    const spots = (await countGames(database.db, question))!.map((week) => week.spots);
    expect(spots).toEqual([0, 102, 60]);
  });
});
