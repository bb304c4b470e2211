import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { aGame, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { expireLots } from "./expire-lots.server.ts";

/* Games that a month's credits paid for, cancelled around the end of that month. */
const database = useDatabase();
const db = () => database.db;
beforeAll(() => somePacks(db()));
const credits = async (userId: string) => (await balanceCents(db(), userId)) / 100;

test("a refund to an expired month lives a week, which neither a renewal nor a running plan changes", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, [story.completed, story.paid(0), story.updated(0)]);
  const gameId = await aGame(db(), { startsIn: 60 * 24 });
  const join = { gameId, playerId: userId, now: NOW };
  const booking = await joinGame(db(), database.jobs, join);
  if (!booking.ok) throw new Error(booking.reason);
  const later = hoursLater(32 * 24);
  await expireLots(db(), later);
  expect(await credits(userId)).toBe(0);
  const cancel = { bookingId: booking.bookingId, playerId: userId, now: later };
  await cancelBooking(db(), database.jobs, cancel);
  await deliverEvents(database, story.paid(1), later);
  expect(await credits(userId)).toBe(49.01);
  await expireLots(db(), hoursLater(39 * 24 - 1));
  expect(await credits(userId)).toBe(49.01);
  await expireLots(db(), hoursLater(39 * 24));
  expect(await credits(userId)).toBe(40);
  await expectRightBooks(database);
});

test("a refund while the renewal is awaited keeps itself alone, not the rest of the old month", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, [story.completed, story.paid(0), story.updated(0)]);
  const gameId = await aGame(db(), { startsIn: 60 * 24 });
  const booking = await joinGame(db(), database.jobs, { gameId, playerId: userId, now: NOW });
  if (!booking.ok) throw new Error(booking.reason);
  const justAfter = hoursLater(30 * 24 + 0.5);
  await cancelBooking(db(), database.jobs, { ...booking, playerId: userId, now: justAfter });
  expect(await credits(userId)).toBe(39.01);
  await deliverEvents(database, story.paid(1), justAfter);
  expect(await credits(userId)).toBe(49.01);
  await expectRightBooks(database);
});

test("a refund that was asked for before the month ended and comes in after still lives a week", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, [story.completed, story.paid(0), story.deleted(0)]);
  const gameId = await aGame(db(), { startsIn: 60 * 24 });
  const booking = await joinGame(db(), database.jobs, { gameId, playerId: userId, now: NOW });
  if (!booking.ok) throw new Error(booking.reason);
  await expireLots(db(), hoursLater(30 * 24));
  const before = hoursLater(30 * 24 - 0.01);
  await cancelBooking(db(), database.jobs, { ...booking, playerId: userId, now: before });
  await expireLots(db(), hoursLater(30 * 24 + 1));
  expect(await credits(userId)).toBe(9.01);
  await expireLots(db(), hoursLater(40 * 24));
  expect(await credits(userId)).toBe(0);
  await expectRightBooks(database);
});
