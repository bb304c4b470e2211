import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
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
} from "#test/fixtures.ts";
import { addPlayer, type SeatPayment } from "./add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
afterEach(() => expectRightBooks(database));

const CREDITS: SeatPayment = { by: "credits" };

async function add(
  gameId: string,
  playerId: string,
  { payment = CREDITS, formKey = crypto.randomUUID(), now = NOW, nextId = "" } = {},
) {
  const actorId = await ben(database.db);
  const addition = { gameId, playerId, actorId, payment, formKey, nextId, now };
  return addPlayer(database.db, database.jobs, addition);
}

const entriesOf = (userId: string) =>
  database.db
    .selectFrom("wallet_transactions")
    .select(["type", "amount_eur", "booking_id"])
    .where("user_id", "=", userId)
    .where("type", "!=", "topup")
    .execute();

test("a seat that is charged is sold as by a join: its price, its terms, its entry", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const added = await add(gameId, playerId);
  expect(added).toMatchObject({ ok: true, chargedCents: 1_000, usesFreeSession: false });
  expect(await bookingsOf(database.db, gameId)).toMatchObject([
    { payment_status: "Paid", price_eur: "10.00", refund_hours: 24, refund_fee_eur: "0.99" },
  ]);
  const bookingId = added.ok ? added.bookingId : "";
  expect(await entriesOf(playerId)).toEqual([
    { type: "deduction", amount_eur: "-10.00", booking_id: bookingId },
  ]);
  await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
  expect(await balanceCents(database.db, playerId)).toBe(9_901);
});

test("who has too few credits is not added, and nothing is changed", async () => {
  const gameId = await aGame(database.db);
  const playerId = await aPlayer(database.db, { name: "Dora", credits: 3 });
  const actorId = await ben(database.db);
  const before = await everything(database.db);
  const addition = { gameId, playerId, actorId, payment: CREDITS, now: NOW };
  expect(await addPlayer(database.db, database.jobs, addition)).toMatchObject({
    ...{ ok: false, reason: "not-enough-credits", priceCents: 1_000 },
    player: { playerId, name: expect.stringMatching(/^Dora /) },
    wallet: { balanceCents: 300, debtCents: 0 },
  });
  expect(await everything(database.db)).toEqual(before);
});

test("a debt keeps a player from being charged, for a free session too", async () => {
  const playerId = await ada(database.db);
  await database.pool.query(`update profiles set wallet_debt_eur = 1 where user_id = $1`, [
    playerId,
  ]);
  for (const is_first_session_free of [false, true]) {
    const gameId = await aGame(database.db, { is_first_session_free });
    expect(await add(gameId, playerId)).toMatchObject({ reason: "not-enough-credits" });
  }
  await database.pool.query(`update profiles set wallet_debt_eur = 0 where user_id = $1`, [
    playerId,
  ]);
});

test("a free session is used as by a join, once", async () => {
  const wish = { is_first_session_free: true };
  const [one, other] = [await aGame(database.db, wish), await aGame(database.db, wish)];
  const playerId = await ada(database.db);
  expect(await add(one, playerId)).toMatchObject({ chargedCents: 0, usesFreeSession: true });
  expect(await add(other, playerId)).toMatchObject({ chargedCents: 1_000, usesFreeSession: false });
});

test("a form that is sent twice charges once, and gets the first result again", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const formKey = crypto.randomUUID();
  const [first, second] = [
    await add(gameId, playerId, { formKey }),
    await add(gameId, playerId, { formKey }),
  ];
  expect(second).toEqual(first);
  expect(await balanceCents(database.db, playerId)).toBe(9_000);
});

test("the credits for one seat, wanted by two organisers and the player at once, buy one", async () => {
  for (let round = 0; round < 5; round += 1) {
    const games = await Promise.all([1, 2, 3].map(() => aGame(database.db)));
    const playerId = await aPlayer(database.db, { credits: 10 });
    const results = await Promise.all([
      add(games[0]!, playerId),
      add(games[1]!, playerId),
      joinGame(database.db, database.jobs, { gameId: games[2]!, playerId, now: NOW }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await balanceCents(database.db, playerId)).toBe(0);
  }
});

test("a spot that was given up late is refunded once an organiser sells it", async () => {
  const { db, jobs } = database;
  const gameId = await aGame(db, { startsIn: 10, spots: 1 });
  const leaver = await ada(db);
  const joined = await joinGame(db, jobs, { gameId, playerId: leaver, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  await cancelBooking(db, jobs, { bookingId: joined.bookingId, playerId: leaver, now: NOW });
  expect(await balanceCents(db, leaver)).toBe(9_000);
  expect(await add(gameId, await ada(db), { now: hoursLater(1) })).toMatchObject({ ok: true });
  expect(await balanceCents(db, leaver)).toBe(9_901);
});

test("a seat that is paid by hand is paid at once, for no credits", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const payment = { by: "cash", amountCents: 750, method: "MobilePay" } as const;
  expect(await add(gameId, playerId, { payment })).toMatchObject({ ok: true, chargedCents: 0 });
  const [booking] = await bookingsOf(database.db, gameId);
  expect(booking).toMatchObject({ payment_status: "Paid", price_eur: "0.00" });
  const rows = database.db.selectFrom("cash_payments").selectAll();
  expect(await rows.where("booking_id", "=", booking!.id).execute()).toMatchObject([
    { amount_eur: "7.50", method: "MobilePay", undone_at: null },
  ]);
  expect(await balanceCents(database.db, playerId)).toBe(10_000);
});
