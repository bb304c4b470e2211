import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import {
  ada,
  aGame,
  aPlayer,
  balanceCents,
  ben,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
  somePlayers,
} from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addPlayer } from "./add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markPaid } from "./cash-payments.server.ts";
import { removePlayer } from "./roster.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
afterEach(() => expectRightBooks(database));

const add = (gameId: string, playerId: string, { db = database.db, now = NOW } = {}) =>
  addPlayer(db, database.jobs, { gameId, playerId, actorId: playerId, now });

async function added(startsIn = 48) {
  const [gameId, playerId] = [await aGame(database.db, { startsIn }), await ada(database.db)];
  const result = await add(gameId, playerId);
  if (!result.ok) throw new Error(result.reason);
  const seat = { gameId, bookingId: result.bookingId, actorId: playerId };
  return { playerId, ...seat, seat };
}

test("adding a player takes an unpaid seat for no credits and notifies the player", async () => {
  const { gameId, playerId, bookingId } = await added();
  const [booking] = await bookingsOf(database.db, gameId);
  expect(booking).toMatchObject({
    id: bookingId,
    payment_status: "Unpaid",
    price_eur: "0.00",
    uses_free_session: false,
  });
  expect(await balanceCents(database.db, playerId)).toBe(10_000);
  const mails = await database.pool.query(
    "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'added-to-game' and data->>'bookingId' = $1",
    [bookingId],
  );
  expect(mails.rowCount).toBe(1);
});

test("a seat not paid in credits is never refunded in credits", async () => {
  const ways = [
    ({ playerId, bookingId }: Seat) =>
      cancelBooking(database.db, database.jobs, { playerId, bookingId, now: NOW }),
    ({ gameId }: Seat) => cancelGame(database.db, database.jobs, { gameId, now: NOW }),
    ({ seat }: Seat) =>
      removePlayer(database.db, database.jobs, { ...seat, withRefund: true, now: NOW }),
  ];
  type Seat = Awaited<ReturnType<typeof added>>;
  for (const giveUp of ways) {
    const seat = await added();
    // Equals what somebody would have written by hand.
    const sold = { price_eur: "10.00" };
    await database.db.updateTable("bookings").set(sold).where("id", "=", seat.bookingId).execute();
    const cash = { amountCents: 1_000, method: "Cash" as const, cashPaymentId: seat.bookingId };
    const payment = { ...seat.seat, ...cash, now: NOW };
    expect(await markPaid(database.db, payment)).toEqual({ ok: true });
    expect(await markPaid(database.db, payment)).toEqual({ ok: true });
    const [paid] = await bookingsOf(database.db, seat.gameId);
    expect(paid).toMatchObject({ payment_status: "Paid", price_eur: "0.00" });
    await giveUp(seat);
    const [booking] = await bookingsOf(database.db, seat.gameId);
    expect(booking?.payment_status).toBe("Cancelled");
    expect(await balanceCents(database.db, seat.playerId)).toBe(10_000);
  }
});

describe("fails without any change:", () => {
  test.each([
    ["a full game", { spots: 1 }, "full"],
    ["a draft", { status: "Draft" as const }, "not-on"],
    ["a cancelled game", { status: "Cancelled" as const }, "not-on"],
  ])("%s", async (_, wish, reason) => {
    const gameId = await aGame(database.db, wish);
    if (reason === "full") await add(gameId, await ben(database.db));
    const playerId = await ada(database.db);
    const before = await everything(database.db);
    expect(await add(gameId, playerId)).toEqual({ ok: false, reason });
    expect(await everything(database.db)).toEqual(before);
  });

  test("a player who is in already, suspended, deleted or unknown", async () => {
    const { gameId, playerId } = await added();
    expect(await add(gameId, playerId)).toEqual({ ok: false, reason: "already-in" });
    const other = await ben(database.db);
    const suspended = { suspended_at: NOW, suspended_reason: "Fights" };
    await database.db.updateTable("users").set(suspended).where("id", "=", other).execute();
    expect(await add(gameId, other)).toEqual({ ok: false, reason: "suspended" });
    const gone = await ben(database.db);
    const deleted = { deleted_at: NOW };
    await database.db.updateTable("profiles").set(deleted).where("user_id", "=", gone).execute();
    for (const id of [gone, crypto.randomUUID(), "x"]) {
      expect(await add(gameId, id)).toEqual({ ok: false, reason: "no-player" });
    }
    for (const id of [crypto.randomUUID(), "x"]) {
      expect(await add(id, other)).toEqual({ ok: false, reason: "not-found" });
    }
  });
});

test("players can be added after kick-off too", async () => {
  const [gameId, playerId] = [await aGame(database.db, { startsIn: 1 }), await ben(database.db)];
  expect(await add(gameId, playerId, { now: hoursLater(1.5) })).toMatchObject({ ok: true });
});

/** Half of a crowd joins and half is added, all for the last spot. */
async function crowd(db: Db) {
  const gameId = await aGame(database.db, { spots: 1 });
  const players = await somePlayers(database.db, 12, 10);
  const results = await Promise.all(
    players.map(async (playerId, n) => {
      const join = { gameId, playerId, now: NOW };
      const attempt =
        n % 2 === 0 ? joinGame(db, database.jobs, join) : add(gameId, playerId, { db });
      return attempt.then(
        (result) => (result.ok ? "in" : result.reason),
        (error: { constraint?: string }) => error.constraint ?? String(error),
      );
    }),
  );
  return { gameId, results };
}

test("one of many who join or are added at once gets the last spot", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { gameId, results } = await crowd(database.db);
    expect(results.toSorted()).toEqual([...Array(11).fill("full"), "in"]);
    expect(await bookingsOf(database.db, gameId)).toHaveLength(1);
  }
});

test("without the lock the database constraint rejects the rest", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let round = 0; round < 200; round += 1) {
    const { gameId, results } = await crowd(unlocked);
    expect(await bookingsOf(database.db, gameId)).toHaveLength(1);
    if (results.includes("games_seats_within_capacity")) return;
  }
  expect.fail("the property held in 200 rounds without its guard");
});

test("a player added ten times at once gets one seat", async () => {
  const [gameId, playerId] = [await aGame(database.db), await aPlayer(database.db)];
  const results = await Promise.all(Array.from({ length: 10 }, () => add(gameId, playerId)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await bookingsOf(database.db, gameId)).toHaveLength(1);
});
