import { beforeAll, describe, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { listUpcomingGames } from "#app/features/games/games.server.ts";
import { findProgress } from "#app/features/rewards/rewards.server.ts";
import { listPurchases } from "#app/features/support/withdrawals.server.ts";
import { findVenue, listVenues } from "#app/features/venues/venues.server.ts";
import { loader as statementFile } from "#app/routes/wallet/statement-file.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { somePacks } from "./payments.ts";
import { signIn, visit } from "./visit.ts";
import { aBuyer } from "./withdrawals.ts";
import { ada, aGame, aVenue } from "./fixtures.ts";

/*
 * What goes by a date, at the moments around midnight: in winter, in summer, and on the nights when
 * the clocks change. "Today" of a list of games is the UTC date; every other date is Helsinki's.
 */
const database = useDatabase();
beforeAll(() => somePacks(database.db));
const at = (instant: string) => new Date(instant);
const SECOND = 1_000;
const before = (instant: string) => new Date(at(instant).getTime() - SECOND);

describe("a game that runs past midnight is listed until the next day begins by UTC", () => {
  test.each([
    ["winter", "2026-11-21", "2026-11-21T22:00:00Z", "2026-11-22T00:00:00Z", "02:30"],
    ["summer", "2026-07-04", "2026-07-04T21:00:00Z", "2026-07-05T00:00:00Z", "03:30"],
    [
      "the night of 25 hours",
      "2026-10-24",
      "2026-10-24T21:00:00Z",
      "2026-10-25T00:00:00Z",
      "05:00",
    ],
    [
      "the night of 23 hours",
      "2027-03-27",
      "2027-03-27T22:00:00Z",
      "2027-03-28T00:00:00Z",
      "05:00",
    ],
  ])("%s", async (_, date, midnight, utcMidnight, end_time) => {
    const venue_id = await aVenue(database.db);
    const when = { date, start_time: "22:00", end_time };
    const gameId = await aGame(database.db, { ...when, venue_id });
    const isListed = async (now: Date) => {
      const games = await listUpcomingGames(database.db, { now });
      const venues = await listVenues(database.db, { cities: [], now, held: heldNow(now) });
      const venue = await findVenue(database.db, { venueId: venue_id, now, held: heldNow(now) });
      const ofList = venues.find(({ id }) => id === venue_id)!.upcomingGames;
      const lists = [games, ofList, venue!.upcomingGames];
      return lists.map((list) => list.some(({ id }) => id === gameId));
    };
    for (const now of [before(midnight), at(midnight), before(utcMidnight)]) {
      expect(await isListed(now)).toEqual([true, true, true]);
    }
    expect(await isListed(at(utcMidnight))).toEqual([false, false, false]);
  });
});

const MIDNIGHTS = [
  ["winter", "2026-11-30T22:00:00Z", "2026-11-30", "2026-12-01"],
  ["summer", "2026-06-30T21:00:00Z", "2026-06-30", "2026-07-01"],
  ["the night before the clocks go back", "2026-10-24T21:00:00Z", "2026-10-24", "2026-10-25"],
  ["the night after they have gone back", "2026-10-25T22:00:00Z", "2026-10-25", "2026-10-26"],
  ["the night before they go forward", "2027-03-27T22:00:00Z", "2027-03-27", "2027-03-28"],
  ["the night after they have gone forward", "2027-03-28T21:00:00Z", "2027-03-28", "2027-03-29"],
] as const;

test.each(MIDNIGHTS)("a file is named by Helsinki's day: %s", async (_, midnight, day, next) => {
  const app = testApp(database, () => before(midnight));
  const cookie = await signIn(app, await ada(database.db));
  const nameAt = async (now: Date) => {
    const wish = { path: "/wallet/statement.csv", cookie };
    const { headers } = await visit({ ...app, now: () => now }, statementFile, wish);
    return headers.get("Content-Disposition");
  };
  expect(await nameAt(before(midnight))).toContain(`statement-${day}.csv`);
  expect(await nameAt(at(midnight))).toContain(`statement-${next}.csv`);
});

describe("a monthly challenge counts the games that end in Helsinki's month", () => {
  test.each([
    ["winter", "2026-11-30T22:00:00Z", "2026-11-30", "2026-12"],
    ["summer", "2026-06-30T21:00:00Z", "2026-06-30", "2026-07"],
    ["the month of the clocks' change", "2026-10-31T22:00:00Z", "2026-10-31", "2026-11"],
    ["the other one", "2027-03-31T21:00:00Z", "2027-03-31", "2027-04"],
  ])("%s", async (_, midnight, date, month) => {
    const playerId = await ada(database.db);
    const play = async (start_time: string, end_time: string) => {
      const gameId = await aGame(database.db, { date, start_time, end_time });
      const join = { gameId, playerId, now: new Date(at(midnight).getTime() - 86_400_000) };
      expect(await joinGame(database.db, database.jobs, join)).toMatchObject({ ok: true });
    };
    await play("21:30", "23:59");
    await play("22:00", "00:00");
    const progressAt = async (now: Date) => {
      const progress = await findProgress(database.db, { playerId, now });
      return [progress.month, progress.gamesCompleted];
    };
    expect(await progressAt(before(midnight))).toEqual([date.slice(0, 7), 1]);
    expect(await progressAt(at(midnight))).toEqual([month, 1]);
  });
});

describe("a purchase can be withdrawn from to the end of Helsinki's 14th day", () => {
  test.each([
    ["winter", "2026-11-20T21:59:59Z", "2026-12-04T22:00:00Z"],
    ["winter, a second later", "2026-11-19T22:00:00Z", "2026-12-04T22:00:00Z"],
    ["summer", "2026-07-03T20:59:59Z", "2026-07-17T21:00:00Z"],
    ["summer, a second later", "2026-07-02T21:00:00Z", "2026-07-17T21:00:00Z"],
    ["over the end of summer time", "2026-10-15T21:00:00Z", "2026-10-30T22:00:00Z"],
    ["over its beginning", "2027-03-18T22:00:00Z", "2027-04-02T21:00:00Z"],
  ])("%s", async (_, paidAt, end) => {
    const { userId, paymentId } = await aBuyer(database);
    const payment = database.db.updateTable("payments").where("id", "=", paymentId);
    await payment.set({ created_at: at(paidAt) }).execute();
    const count = async (now: Date) => (await listPurchases(database.db, { userId, now })).length;
    expect(await count(before(end))).toBe(1);
    expect(await count(at(end))).toBe(0);
  });
});
