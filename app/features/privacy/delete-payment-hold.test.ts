import { expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { aGame, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount } from "#test/holds.ts";
import { payingOf, paymentStatuses } from "#test/payment-holds.ts";
import { deliverEvents, singlePurchase } from "#test/payments.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";

const scenario = useErasure();
const paying = payingOf(scenario.database);

test("a spot that a deleted player went to pay for is free, and goes to who waits", async () => {
  const { db } = scenario.app;
  const who = await scenario.player({ credits: 0 });
  const gameId = await aGame(db, { spots: 1 });
  await paying.hold(gameId, who.userId);
  const [waiter] = await waitlistOf(scenario.database).waiters(gameId, 1);
  expect(await scenario.remove(who)).toEqual({ ok: true });
  await paying.sweep();
  expect(await bookingsOf(db, gameId)).toMatchObject([{ user_id: waiter }]);
  expect((await checkBooks(db)).differences).toEqual([]);
});

test("a player who is deleted between the payment and its booking is not booked", async () => {
  const { db } = scenario.app;
  const who = await scenario.player({ credits: 0 });
  const gameId = await aGame(db, { spots: 1 });
  await paying.hold(gameId, who.userId);
  await deliverEvents(scenario.app, singlePurchase(who.userId).completed);
  expect(await scenario.remove(who)).toEqual({ ok: true });
  await paying.work(NOW);
  expect(await bookingsOf(db, gameId)).toEqual([]);
  expect(await heldCount(db, gameId)).toBe(0);
  expect(await paymentStatuses(db, who.userId)).toEqual(["Declined"]);
});

test("money for a deleted player books nothing, and waits for an organiser", async () => {
  const { db } = scenario.app;
  const who = await scenario.player({ credits: 0 });
  const gameId = await aGame(db, { spots: 1 });
  await paying.hold(gameId, who.userId);
  await scenario.remove(who);
  const late = deliverEvents(scenario.app, singlePurchase(who.userId).completed, hoursLater(1));
  expect(await late).toEqual(["unmatched"]);
  expect(await paying.work()).toBe(0);
});
