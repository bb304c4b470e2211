import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import { parseAdminGameFilter } from "#app/features/games/filters.ts";
import { isPaymentOpen } from "#app/features/games/unfinished.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import {
  countPendingCash,
  countUnpaid,
  describePendingCash,
  sumPendingCash,
} from "./pending-cash.server.ts";
import { isSeatPaymentOpen } from "#app/features/roster/unpaid-rules.ts";
import { listRoster, removePlayer } from "#app/features/roster/roster.server.ts";
import { setCollected, setKept } from "#app/features/roster/cash-decisions.server.ts";

const database = useDatabase();
const PAST = -48;

/** An unpaid seat; of a game that is over, with its mark. */
async function aSeat({ startsIn = PAST, gameId = "", mark = null as Attendance | null } = {}) {
  const { db, jobs } = database;
  const id = gameId || (await aGame(db, { startsIn }));
  const [playerId, actorId] = [await ada(db), await ben(db)];
  const added = await addPlayer(db, jobs, { gameId: id, playerId, actorId, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  const { bookingId } = added;
  const bookings = db.updateTable("bookings").set({ attendance: mark });
  await bookings.where("id", "=", bookingId).execute();
  return { gameId: id, bookingId, playerId, actorId, now: NOW };
}

async function pay(seat: Awaited<ReturnType<typeof aSeat>>, amountCents = 800) {
  const cashPaymentId = crypto.randomUUID();
  await markPaid(database.db, { ...seat, cashPaymentId, amountCents, method: "Cash" });
  return cashPaymentId;
}

const listed = async (query: string) => {
  const filter = parseAdminGameFilter(new URLSearchParams(query));
  const page = { filter, now: NOW, after: null, limit: 100 };
  return (await listAdminGames(database.db, page)).games;
};

describe("a seat of a game that is over", () => {
  test.each<[string, Parameters<typeof aSeat>[0], number]>([
    ["of who came", { mark: "CheckedIn" }, 1],
    ["of who is not marked yet", {}, 1],
    ["of a no-show", { mark: "NoShow" }, 0],
  ])("%s", async (_, wish, owed) => {
    const before = await countUnpaid(database.db, NOW);
    const { gameId } = await aSeat(wish);
    const { played, toCome } = await countUnpaid(database.db, NOW);
    expect([played.seats, played.games]).toEqual([
      before.played.seats + owed,
      before.played.games + owed,
    ]);
    expect(toCome).toEqual(before.toCome);
    const found = (await listed("when=past&pays=unpaid")).filter(({ id }) => id === gameId);
    expect(found.map(({ unpaid }) => unpaid)).toEqual(owed === 1 ? [1] : []);
  });

  test("of a deleted account is owed by nobody", async () => {
    const { playerId, gameId } = await aSeat();
    const before = await countUnpaid(database.db, NOW);
    await markDeleted(database.db, playerId);
    const { played } = await countUnpaid(database.db, NOW);
    expect(played.seats).toBe(before.played.seats - 1);
    expect((await listed("when=past&pays=unpaid")).map(({ id }) => id)).not.toContain(gameId);
  });

  test("is owed no longer once it is not collected, so that the metric reaches zero", async () => {
    const { db } = database;
    await db.updateTable("bookings").set({ not_collected_at: NOW }).execute();
    const seat = await aSeat();
    const two = await aSeat({ gameId: seat.gameId });
    expect((await countUnpaid(db, NOW)).played).toEqual({ seats: 2, games: 1 });
    for (const each of [seat, two]) await setCollected(db, { ...each, isCollected: false });
    expect((await countUnpaid(db, NOW)).played).toEqual({ seats: 0, games: 0 });
    await setCollected(db, { ...two, isCollected: true });
    expect((await countUnpaid(db, NOW)).played).toEqual({ seats: 1, games: 1 });
  });
});

test("the roster says of the same seats that they are owed", async () => {
  const { db } = database;
  const gameId = await aGame(db, { startsIn: PAST });
  for (const mark of [null, "CheckedIn", "NoShow"] as const) await aSeat({ gameId, mark });
  const notCollected = await aSeat({ gameId });
  await setCollected(db, { ...notCollected, isCollected: false });
  await markDeleted(db, (await aSeat({ gameId })).playerId);
  await pay(await aSeat({ gameId }));
  const owed = await db
    .selectFrom("bookings")
    .select("id")
    .where("game_id", "=", gameId)
    .where(isPaymentOpen("bookings"))
    .execute();
  const seats = (await listRoster(db, { gameId, now: NOW })).filter(isSeatPaymentOpen);
  expect(seats.map(({ bookingId }) => bookingId).toSorted()).toEqual(
    owed.map(({ id }) => id).toSorted(),
  );
  expect(seats).toHaveLength(2);
});

test("seats of games to come are counted apart, until the game is over", async () => {
  const { db } = database;
  const before = await countUnpaid(db, NOW);
  await aSeat({ startsIn: 24 });
  const { played, toCome } = await countUnpaid(db, NOW);
  expect(played).toEqual(before.played);
  expect([toCome.seats, toCome.games]).toEqual([before.toCome.seats + 1, before.toCome.games + 1]);
  expect((await countUnpaid(db, hoursLater(25))).toCome).toEqual(toCome);
  const after = await countUnpaid(db, hoursLater(25.5));
  expect(after.played.seats).toBe(played.seats + toCome.seats);
});

test("seats of a cancelled game are owed by nobody", async () => {
  const { db } = database;
  const before = await countUnpaid(db, NOW);
  const { gameId } = await aSeat({ startsIn: 24 });
  await db.updateTable("games").set({ status: "Cancelled" }).where("id", "=", gameId).execute();
  expect(await countUnpaid(db, NOW)).toEqual(before);
});

describe("cash is due", () => {
  type Seat = Awaited<ReturnType<typeof aSeat>>;
  const tools = () => [database.db, database.jobs] as const;
  test.each<[string, string, (seat: Seat) => Promise<unknown>]>([
    [
      "of a cancelled booking, in time",
      "You paid 8.00\u00a0€ in cash: the organiser gives it back.",
      (seat) => cancelBooking(...tools(), seat),
    ],
    [
      "of a booking cancelled too late",
      "You paid 8.00\u00a0€ in cash: whether it comes back is between you and the organiser.",
      (seat) => cancelBooking(...tools(), { ...seat, now: hoursLater(25) }),
    ],
    [
      "of a removed player",
      "You paid 8.00\u00a0€ in cash: the organiser gives it back.",
      (seat) => removePlayer(...tools(), { ...seat, withRefund: false }),
    ],
    [
      "of a called-off game, whatever the hour",
      "You paid 8.00\u00a0€ in cash: the organiser gives it back.",
      (seat) => cancelGame(...tools(), { ...seat, now: hoursLater(47) }),
    ],
  ])("%s", async (_, text, end) => {
    const { db } = database;
    const seat = await aSeat({ startsIn: 48 });
    const { gameId, playerId, bookingId } = seat;
    const cashPaymentId = await pay(seat);
    const before = await countPendingCash(db);
    expect(await sumPendingCash(db, { gameId })).toBe(0);
    await end(seat);
    expect(await countPendingCash(db)).toEqual({
      ...{ payments: before.payments + 1, games: before.games + 1, cents: before.cents + 800 },
    });
    expect([await sumPendingCash(db, { gameId }), await sumPendingCash(db, { playerId })]).toEqual([
      800, 800,
    ]);
    const texts = new Map([[bookingId, text]]);
    expect(await describePendingCash(db, { bookingIds: [bookingId] })).toEqual(texts);
    expect(await describePendingCash(db, { gameId, playerId })).toEqual(texts);
    const found = (await listed("when=all&pays=cash-back")).filter(({ id }) => id === gameId);
    expect(found.map(({ cashDueCents }) => cashDueCents)).toEqual([800]);

    const keeping = { ...seat, cashPaymentId, isKept: true };
    expect(await setKept(db, keeping)).toEqual({ ok: true });
    expect(await countPendingCash(db)).toEqual(before);
    expect(await describePendingCash(db, { gameId, playerId })).toEqual(new Map());
    await setKept(db, { ...keeping, isKept: false });
    expect((await countPendingCash(db)).payments).toBe(before.payments + 1);
    await undoPayment(db, { ...seat, cashPaymentId, kind: "GivenBack" });
    expect(await countPendingCash(db)).toEqual(before);
    expect((await listed("when=all&pays=cash-back")).map(({ id }) => id)).not.toContain(gameId);
  });

  test("not of who is in, and not of an amount that was never noted", async () => {
    const { db, jobs } = database;
    const before = await countPendingCash(db);
    await pay(await aSeat({ startsIn: 48 }));
    const unknown = await aSeat({ startsIn: 48 });
    await pay(unknown, 0);
    await removePlayer(db, jobs, { ...unknown, withRefund: false });
    expect(await countPendingCash(db)).toEqual(before);
  });

  const GIVEN_BACK = "You paid 8.00\u00a0€ in cash: the organiser gives it back.";
  const BETWEEN_YOU =
    "You paid 8.00\u00a0€ in cash: whether it comes back is between you and the organiser.";
  const move = ({ gameId }: Seat, days: number) =>
    database.pool.query("update games set date = date + $2::integer where id = $1", [gameId, days]);

  test.each<[string, string, number, (seat: Seat) => Promise<unknown>]>([
    [
      "a late cancellation, however late the game is moved",
      BETWEEN_YOU,
      25,
      (seat) => move(seat, 9),
    ],
    [
      "a cancellation in time, however early the game is moved",
      GIVEN_BACK,
      0,
      (seat) => move(seat, -2),
    ],
    [
      "a late cancellation, once the game is called off",
      GIVEN_BACK,
      25,
      (seat) => cancelGame(...tools(), { ...seat, now: hoursLater(26) }),
    ],
  ])("what is promised is decided as the booking ends: %s", async (_, text, hours, change) => {
    const seat = await aSeat({ startsIn: 48 });
    await pay(seat);
    await cancelBooking(...tools(), { ...seat, now: hoursLater(hours) });
    await change(seat);
    const { bookingId } = seat;
    const texts = await describePendingCash(database.db, { bookingIds: [bookingId] });
    expect(texts.get(bookingId)).toBe(text);
  });

  test("of a booking that ends by SQL, also with a price, until it is live again", async () => {
    const { db } = database;
    const seat = await aSeat({ startsIn: 48 });
    await pay(seat);
    const before = await countPendingCash(db);
    const become = (payment_status: "Refunded" | "Paid") =>
      db
        .updateTable("bookings")
        .set({ payment_status, price_eur: "10" })
        .where("id", "=", seat.bookingId)
        .execute();
    await become("Refunded");
    expect((await countPendingCash(db)).payments).toBe(before.payments + 1);
    await become("Paid");
    expect(await countPendingCash(db)).toEqual(before);
  });

  test("of a payment that is noted by SQL once the booking has ended", async () => {
    const { db } = database;
    const seat = await aSeat({ startsIn: 48 });
    await removePlayer(...tools(), { ...seat, withRefund: false });
    await db
      .insertInto("cash_payments")
      .values({
        ...{ id: crypto.randomUUID(), booking_id: seat.bookingId, amount_eur: "8" },
        ...{ method: "Cash", noted_by: seat.actorId, noted_at: NOW },
      })
      .execute();
    expect(await sumPendingCash(db, { gameId: seat.gameId })).toBe(800);
  });
});
