import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { payingOf, paymentHoldsOf, paymentStatuses } from "#test/payment-holds.ts";
import { deliverEvents, singlePurchase, somePacks } from "#test/payments.ts";
import { listPaymentsUnderWay } from "./pending-payments.server.ts";

/* Payments whose link names the intention to join that it was opened for. */
const database = useDatabase();
const db = () => database.db;
const paying = payingOf(database);
let userId: string;
let first: string;
let second: string;
beforeAll(() => somePacks(db()));
beforeEach(async () => {
  userId = await ben(db());
  [first, second] = [await aGame(db(), { startsIn: 48 }), await aGame(db(), { startsIn: 96 })];
});

const linkFor = (holdId: string) =>
  singlePurchase(userId, { client_reference_id: `${userId}_${holdId}` });
const playersOf = async (gameId: string) =>
  (await bookingsOf(db(), gameId)).map((booking) => booking.user_id);
const underWay = (gameId?: string) =>
  listPaymentsUnderWay(db(), { userId, now: NOW, ...(gameId && { gameId }) });

test("a payment books the game that its link was opened for", async () => {
  const holdId = await paying.hold(first, userId);
  await deliverEvents(database, linkFor(holdId).completed);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("a payment page that stayed open books no game that the player went to pay for later", async () => {
  const purchase = linkFor(await paying.hold(first, userId));
  await paying.hold(second, userId);
  await deliverEvents(database, purchase.completed);
  await paying.work();
  expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
  expect(await paymentStatuses(db(), userId)).toEqual(["GivenBack", "Held"]);
});

test("a payment page that stayed open books its game where the button was pressed again", async () => {
  const purchase = linkFor(await paying.hold(first, userId));
  await paying.stop(first, userId);
  await paying.hold(first, userId);
  await deliverEvents(database, purchase.completed);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("money for a spot that was given back stays as credits, whenever it comes", async () => {
  const purchase = linkFor(await paying.hold(first, userId));
  await paying.stop(first, userId);
  await deliverEvents(database, purchase.completed, hoursLater(0.001));
  await paying.work();
  await paying.sweepPaid();
  expect(await playersOf(first)).toEqual([]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
});

test("the hold of another player, or one that is gone, books nothing", async () => {
  const other = await ben(db());
  const theirs = await paying.hold(first, other);
  await paying.hold(second, userId);
  for (const holdId of [theirs, crypto.randomUUID()]) {
    await deliverEvents(database, linkFor(holdId).completed);
  }
  await paying.work();
  expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
  expect((await paymentHoldsOf(db(), other))[0]).toMatchObject({ session_id: null });
});

describe("a payment under way", () => {
  test("stays that of its game, whatever the player goes to pay for afterwards", async () => {
    const purchase = linkFor(await paying.hold(first, userId));
    await paying.hold(second, userId);
    await deliverEvents(database, purchase.unpaid);
    const its = { sessionId: purchase.id, canBook: false };
    expect(await underWay(first)).toMatchObject([its]);
    expect(await underWay(second)).toEqual([]);
    expect(await underWay()).toMatchObject([{ ...its, game: { venueName: "Campus Hall" } }]);
    await deliverEvents(database, purchase.succeeded);
    await paying.work();
    expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
  });

  test("that failed and succeeds after all books no other game, by an older link neither", async () => {
    await paying.hold(first, userId);
    const purchase = singlePurchase(userId);
    await deliverEvents(database, [purchase.unpaid, purchase.failed]);
    await paying.hold(second, userId);
    await deliverEvents(database, purchase.succeeded);
    await paying.work();
    expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
    expect(await balanceCents(db(), userId)).toBe(1_000);
  });
});

test.each(["", "_", "_x", "__", "_0"])(
  "a reference that goes on with %j names nobody",
  async (rest) => {
    const { completed } = singlePurchase(userId, { client_reference_id: `${userId}${rest}` });
    await deliverEvents(database, completed);
    expect(await balanceCents(db(), userId)).toBe(rest === "" ? 1_000 : 0);
  },
);
