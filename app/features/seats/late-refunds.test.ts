import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useErasure } from "#test/erasure.ts";
import { ada, aPlayer, balanceCents, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { bookingOf, type Seat, waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

const scenario = useErasure();
const { database } = scenario;
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

const LATE = hoursLater(30);
const minutesLate = (minutes: number) => new Date(LATE.getTime() + minutes * 60_000);
/** Kick-off is in two days; LATE is 18 hours before it. */
const aFullGame = (spots: number) => list.fullGame({ spots, startsIn: 48 });
const seatState = async (gameId: string, { playerId }: Seat) => {
  const { payment_status: status } = await bookingOf(database.db, gameId, playerId);
  return [status, await balanceCents(database.db, playerId)];
};
const newcomer = async (gameId: string, now = LATE) =>
  list.join(gameId, await ada(database.db), now);
/** Ada has paid one game of ten; 9.01 of it may come back. */
const [PENDING, REFUNDED] = [
  ["Cancelled", 9_000],
  ["Refunded", 9_901],
];

test("a spot given back late pays nothing at once, and 9.01 when somebody takes it", async () => {
  const { gameId, seat } = await aFullGame(1);
  expect(await list.cancel(seat, LATE)).toMatchObject({ ok: true, creditsBackCents: 0 });
  expect(await seatState(gameId, seat)).toEqual(PENDING);
  expect(await bookingsOf(database.db, gameId)).toMatchObject([{ late_refund_eur: "9.01" }]);
  await newcomer(gameId);
  expect(await seatState(gameId, seat)).toEqual(REFUNDED);
  expect(await list.mailsTo(seat.bookingId)).toEqual([
    ...["booking-confirmed", "booking-cancelled", "late-refund"],
  ]);
  const { rows } = await database.pool.query(
    "select type, amount_eur, notes from wallet_transactions where business_key = $1",
    [`refund:${seat.bookingId}`],
  );
  expect(rows).toEqual([{ type: "refund", amount_eur: "9.01", notes: "Somebody took your spot" }]);
});

test("one is settled with each join, the oldest first", async () => {
  const { gameId, seats } = await aFullGame(3);
  for (const [n, seat] of [seats[1]!, seats[2]!, seats[0]!].entries()) {
    await list.cancel(seat, minutesLate(n));
  }
  const states = () => Promise.all(seats.map((seat) => seatState(gameId, seat)));
  await newcomer(gameId, minutesLate(5));
  expect(await states()).toEqual([PENDING, REFUNDED, PENDING]);
  await newcomer(gameId, minutesLate(6));
  expect(await states()).toEqual([PENDING, REFUNDED, REFUNDED]);
  await newcomer(gameId, minutesLate(7));
  expect(await states()).toEqual([REFUNDED, REFUNDED, REFUNDED]);
});

test("spots that were never sold fill first", async () => {
  const { gameId, seat } = await aFullGame(1);
  await database.pool.query("update games set max_players = 3 where id = $1", [gameId]);
  await list.cancel(seat, LATE);
  for (const expected of [PENDING, PENDING, REFUNDED]) {
    await newcomer(gameId);
    expect(await seatState(gameId, seat)).toEqual(expected);
  }
});

test("spots given back in time are free spots like any other", async () => {
  const { gameId, seats } = await aFullGame(2);
  await list.cancel(seats[0]!, NOW);
  await list.cancel(seats[1]!, LATE);
  await newcomer(gameId);
  expect(await seatState(gameId, seats[1]!)).toEqual(PENDING);
  await newcomer(gameId);
  expect(await seatState(gameId, seats[1]!)).toEqual(REFUNDED);
});

describe("a join is also", () => {
  test("a promotion from the waitlist", async () => {
    const { gameId, seat } = await aFullGame(1);
    await list.waiters(gameId, 1);
    await list.cancel(seat, LATE);
    await list.promote(gameId, LATE);
    expect(await seatState(gameId, seat)).toEqual(REFUNDED);
  });

  test("an offer that is taken, but not one that is made", async () => {
    const { gameId, seat } = await aFullGame(1);
    const [first] = await list.waiters(gameId, 1, { mode: "ask" });
    await list.cancel(seat, LATE);
    await list.promote(gameId, LATE);
    expect(await seatState(gameId, seat)).toEqual(PENDING);
    await list.join(gameId, first!, minutesLate(1));
    expect(await seatState(gameId, seat)).toEqual(REFUNDED);
  });

  test("a player whom an organiser adds, until kick-off", async () => {
    const add = async (gameId: string, now: Date) => {
      const playerId = await aPlayer(database.db);
      const addition = { gameId, playerId, actorId: playerId, now };
      expect(await addPlayer(database.db, database.jobs, addition)).toMatchObject({ ok: true });
    };
    const { gameId, seats } = await aFullGame(2);
    for (const seat of seats) await list.cancel(seat, LATE);
    await add(gameId, LATE);
    await add(gameId, hoursLater(48));
    const states = await Promise.all(seats.map((seat) => seatState(gameId, seat)));
    expect(states.toSorted()).toEqual([PENDING, REFUNDED]);
  });

  test("one's own: who comes back has the first booking refunded", async () => {
    const { gameId, seat } = await aFullGame(1);
    await list.cancel(seat, LATE);
    await list.join(gameId, seat.playerId, minutesLate(1));
    const statuses = (await bookingsOf(database.db, gameId)).map((one) => one.payment_status);
    expect(statuses.toSorted()).toEqual(["Paid", "Refunded"]);
    expect(await balanceCents(database.db, seat.playerId)).toBe(10_000 - 2_000 + 901);
  });
});

describe("nothing comes back later", () => {
  test("for a spot that was given back in time", async () => {
    const { gameId, seat } = await aFullGame(1);
    await list.cancel(seat, NOW);
    expect(await bookingsOf(database.db, gameId)).toMatchObject([{ late_refund_eur: null }]);
  });

  test("for a free session, or a seat that an organiser gave", async () => {
    const { gameId, seat } = await list.fullGame({ spots: 1, is_first_session_free: true });
    await list.cancel(seat, LATE);
    expect(await bookingsOf(database.db, gameId)).toMatchObject([{ late_refund_eur: null }]);
  });

  test("to a player whom the organiser removed without credits", async () => {
    const { gameId, seat } = await aFullGame(1);
    const removal = { gameId, ...seat, actorId: seat.playerId, withRefund: false, now: LATE };
    await removePlayer(database.db, database.jobs, removal);
    await newcomer(gameId);
    expect(await seatState(gameId, seat)).toEqual(PENDING);
  });

  test("when nobody takes the spot, whatever is cancelled and joined elsewhere", async () => {
    const [{ gameId, seat }, other] = [await aFullGame(1), await aFullGame(1)];
    await list.cancel(seat, LATE);
    await list.cancel(other.seat, LATE);
    await newcomer(other.gameId);
    expect(await seatState(gameId, seat)).toEqual(PENDING);
  });
});

describe("a game that is called off", () => {
  test("gives everything back to those who gave up their spots late, once", async () => {
    const { gameId, seats } = await aFullGame(3);
    await list.cancel(seats[0]!, LATE);
    await list.cancel(seats[1]!, minutesLate(1));
    await database.pool.query("update games set max_players = 2 where id = $1", [gameId]);
    await newcomer(gameId, minutesLate(2));
    expect(await seatState(gameId, seats[0]!)).toEqual(REFUNDED);
    const off = { gameId, now: minutesLate(3), formKey: crypto.randomUUID() };
    for (let run = 0; run < 2; run += 1) {
      expect(await cancelGame(database.db, database.jobs, off)).toEqual({ ok: true, players: 2 });
    }
    const states = await Promise.all(seats.map((seat) => seatState(gameId, seat)));
    expect(states).toEqual([REFUNDED, ["Refunded", 10_000], ["Refunded", 10_000]]);
    const mails = await list.mailsTo(seats[1]!.bookingId);
    expect(mails.filter((name) => name === "late-refund")).toHaveLength(1);
  });

  test("pays a player who gave up a spot late and came back for both", async () => {
    const { gameId, seat } = await aFullGame(2);
    await list.cancel(seat, LATE);
    await database.pool.query("update games set max_players = 9 where id = $1", [gameId]);
    await list.join(gameId, seat.playerId, minutesLate(1));
    await cancelGame(database.db, database.jobs, { gameId, now: minutesLate(2) });
    expect(await balanceCents(database.db, seat.playerId)).toBe(10_000);
  });
});

test("what comes back to a deleted account lapses, and the spot counts as settled", async () => {
  const who = await scenario.player({ credits: 10 });
  const { gameId, seat } = await list.fullGame({ spots: 2, startsIn: 20 });
  await list.cancel(seat);
  const own = await list.join(gameId, who.userId);
  await list.cancel(own, hoursLater(1));
  expect(await scenario.remove(who)).toEqual({ ok: true });
  await newcomer(gameId, hoursLater(2));
  expect(await seatState(gameId, own)).toEqual(["Refunded", 0]);
});
