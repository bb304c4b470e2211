import { beforeAll, describe, expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, ben, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import type { CashMethod } from "#app/platform/schema.ts";
import { undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { checkBooks } from "./check-books.server.ts";
import { countActivePlayers, countGames, countNoShows, sumCash } from "./metrics.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

const database = useDatabase();
const DAY = 24;
const question = { weeks: weeksUntil(NOW, 3), venueId: null as string | null, now: NOW };
const READS = { countActivePlayers, countGames, countNoShows };

async function seat(
  userId: string,
  gameId: string,
  status = "Paid",
  attendance?: string,
  end: string | null = null,
) {
  await database.pool.query(
    `insert into bookings (user_id, game_id, payment_status, attendance, end_reason)
     values ($1, $2, $3, $4, $5)`,
    [userId, gameId, status, attendance ?? null, end],
  );
}

test.each(Object.entries(READS))("%s is empty before the first game", async (_, read) => {
  await aGame(database.db, { startsIn: 1 });
  await aGame(database.db, { startsIn: -1, status: "Draft" });
  await aGame(database.db, { startsIn: -2, status: "Cancelled" });
  expect(await read(database.db, question)).toBeNull();
});

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
    await seat(three!, thisWeek, "Refunded", "NoShow", "Left");
    await seat(four!, thisWeek, "Cancelled", "NoShow", "Removed");
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

  test("no-shows count among marked players, also those who were removed since", async () => {
    expect(await countNoShows(database.db, question)).toEqual([
      { marked: 0, noShows: 0 },
      { marked: 1, noShows: 1 },
      { marked: 3, noShows: 2 },
    ]);
  });

  test("a no-show that is excused is marked, and counts as none", async () => {
    const excused = "no_show_excused_at = now(), no_show_excused_by = user_id";
    const isRemoved = "attendance = 'NoShow' and end_reason = 'Removed'";
    await database.pool.query(`update bookings set ${excused} where ${isRemoved}`);
    const weeks = await countNoShows(database.db, question);
    expect(weeks?.at(-1)).toEqual({ marked: 3, noShows: 1 });
  });

  test("counts one venue alone", async () => {
    const atHall = { ...question, venueId: hall };
    expect((await countGames(database.db, atHall))!.map(({ spots }) => spots)).toEqual([0, 0, 4]);
    const active = await countActivePlayers(database.db, atHall);
    expect(active).toEqual({ thisMonth: 2, byWeek: [0, 0, 2] });
    expect((await countNoShows(database.db, atHall))!.map(({ marked }) => marked)).toEqual([
      0, 0, 3,
    ]);
  });

  test("a week begins on Monday in Helsinki", async () => {
    await aGame(database.db, { startsIn: 0, date: "2026-11-15", start_time: "23:59", spots: 100 });
    await aGame(database.db, { startsIn: 0, date: "2026-11-16", start_time: "00:00", spots: 50 });
    const spots = (await countGames(database.db, question))!.map((week) => week.spots);
    expect(spots).toEqual([0, 102, 60]);
  });
});

describe("what was paid by hand", () => {
  type Where = { venue_id?: string; method?: CashMethod };
  const paidIn: { hall: string; before: unknown } = { hall: "", before: undefined };

  beforeAll(async () => {
    const { db, jobs } = database;
    paidIn.before = await sumCash(db, question);
    const [hall, actorId] = [await aVenue(db), await ben(db)];
    const [one, two, three, four] = await somePlayers(db, 4, 0);
    const pay = async (playerId: string, amountCents: number, hours: number, where: Where = {}) => {
      const { venue_id = hall, method = "Cash" } = where;
      const gameId = await aGame(db, { startsIn: hours + 1, venue_id });
      const now = hoursLater(hours);
      const payment = { by: "cash", amountCents, method } as const;
      const added = await addPlayer(db, jobs, { gameId, playerId, actorId, payment, now });
      if (!added.ok) throw new Error(added.reason);
      return { gameId, bookingId: added.bookingId, cashPaymentId: added.bookingId, actorId, now };
    };
    await pay(one!, 1_000, -DAY);
    await pay(two!, 500, -8 * DAY, { venue_id: await aVenue(db), method: "MobilePay" });
    const mistake = await pay(three!, 9_900, -2 * DAY);
    await undoPayment(db, { ...mistake, kind: "Mistake" });
    const back = await pay(four!, 700, -8 * DAY);
    await removePlayer(db, jobs, { ...back, withRefund: false });
    await undoPayment(db, { ...back, kind: "GivenBack" });
    paidIn.hall = hall;
  });

  test("is empty before the first payment", async () => {
    expect(paidIn.before).toBeNull();
  });

  test("counts in the week in which it was noted, without mistakes, and by method less what was given back", async () => {
    expect(await sumCash(database.db, question)).toEqual([
      { payments: 0, notedCents: 0, returnedCents: 0, Cash: 0, MobilePay: 0, Other: 0 },
      { payments: 2, notedCents: 1_200, returnedCents: 700, Cash: 0, MobilePay: 500, Other: 0 },
      { payments: 1, notedCents: 1_000, returnedCents: 0, Cash: 1_000, MobilePay: 0, Other: 0 },
    ]);
    const atHall = await sumCash(database.db, { ...question, venueId: paidIn.hall });
    expect(atHall!.map(({ notedCents }) => notedCents)).toEqual([0, 700, 1_000]);
  });

  test("is what check:ledger counts", async () => {
    const weeks = (await sumCash(database.db, question))!;
    const cents = weeks.reduce((sum, week) => sum + week.notedCents - week.returnedCents, 0);
    expect((await checkBooks(database.db)).cashEur).toBe((cents / 100).toFixed(2));
  });
});
