import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seconds } from "#app/routes/demo/stripe-objects.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { payingOf, paymentStatuses } from "#test/payment-holds.ts";
import { deliverEvents, monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import { listPaymentsUnderWay } from "./pending-payments.server.ts";

/* A payment is for the intention to join that its link was opened for: the newest one at that time. */
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

const LATER = hoursLater(0.1);
/** Presses the button, and opens the payment page. */
async function goToPay(gameId: string) {
  await paying.hold(gameId, userId);
  return singlePurchase(userId, { created: seconds(NOW) });
}
const holdLater = (gameId: string) => paying.hold(gameId, userId, { now: LATER });
const playersOf = async (gameId: string) =>
  (await bookingsOf(db(), gameId)).map((booking) => booking.user_id);
const underWay = (gameId?: string) =>
  listPaymentsUnderWay(db(), { userId, now: LATER, ...(gameId && { gameId }) });

test("a payment books the game that its link was opened for", async () => {
  const { completed } = await goToPay(first);
  await deliverEvents(database, completed);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("a payment page that stayed open books no game that the player went to pay for later", async () => {
  const purchase = await goToPay(first);
  await holdLater(second);
  await deliverEvents(database, purchase.completed, LATER);
  await paying.work();
  expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
  expect(await paymentStatuses(db(), userId)).toEqual(["GivenBack", "Held"]);
});

test("a payment page that stayed open books its game where the button was pressed again", async () => {
  const purchase = await goToPay(first);
  await paying.stop(first, userId);
  await holdLater(first);
  await deliverEvents(database, purchase.completed);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("money for a spot that was given back stays as credits, whenever it comes", async () => {
  const purchase = await goToPay(first);
  await paying.stop(first, userId);
  await deliverEvents(database, purchase.completed, hoursLater(0.001));
  await paying.work();
  await paying.sweepPaid();
  expect(await playersOf(first)).toEqual([]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
});

test("a payment by a clock that is behind books the game that its link was opened for", async () => {
  await paying.hold(first, userId);
  await deliverEvents(database, singlePurchase(userId, { created: seconds(NOW) - 5 }).completed);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("a payment from before every intention books the newest", async () => {
  const purchase = singlePurchase(userId, { created: seconds(NOW) - 60 });
  await paying.hold(first, await ben(db()));
  await holdLater(second);
  await deliverEvents(database, purchase.completed, LATER);
  await paying.work(LATER);
  expect([await playersOf(first), await playersOf(second)]).toEqual([[], [userId]]);
});

test.each(["checkout first", "invoice first"])(
  "a plan whose page stayed open books no game that its player went to pay for later: %s",
  async (order) => {
    await paying.hold(first, userId);
    const plan = monthlyPurchase(userId);
    const completed = structuredClone(plan.completed);
    Object.assign(completed.data.object, { created: seconds(NOW) });
    await holdLater(second);
    const events = [completed, plan.paid(0)];
    await deliverEvents(database, order === "checkout first" ? events : events.toReversed(), LATER);
    await paying.work(LATER);
    expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
    expect(await balanceCents(db(), userId)).toBe(4_000);
  },
);

test("a plan books the game that its page was opened for", async () => {
  await paying.hold(first, userId);
  const plan = monthlyPurchase(userId);
  await deliverEvents(database, [plan.completed, plan.paid(0)]);
  await paying.work();
  expect(await playersOf(first)).toEqual([userId]);
});

test("a payment under way for no game is not said to be for one of before", async () => {
  await paying.hold(first, userId);
  await paying.stop(first, userId);
  const { unpaid } = singlePurchase(userId, { created: seconds(hoursLater(1)) });
  await deliverEvents(database, unpaid, hoursLater(1));
  const [payment] = await listPaymentsUnderWay(db(), { userId, now: hoursLater(1) });
  expect(payment).toMatchObject({ game: null });
});

describe("a payment under way", () => {
  test("stays that of its game, whatever the player goes to pay for afterwards", async () => {
    const purchase = await goToPay(first);
    await holdLater(second);
    await deliverEvents(database, purchase.unpaid, LATER);
    const its = { sessionId: purchase.id, canBook: false };
    expect(await underWay(first)).toMatchObject([its]);
    expect(await underWay(second)).toEqual([]);
    expect(await underWay()).toMatchObject([{ ...its, game: { venueName: "Campus Hall" } }]);
    await deliverEvents(database, purchase.succeeded);
    await paying.work();
    expect([await playersOf(first), await playersOf(second)]).toEqual([[], []]);
  });

  test("that failed and succeeds after all books no other game, by an older link neither", async () => {
    const purchase = await goToPay(first);
    await deliverEvents(database, [purchase.unpaid, purchase.failed]);
    await holdLater(second);
    await deliverEvents(database, purchase.succeeded, LATER);
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
