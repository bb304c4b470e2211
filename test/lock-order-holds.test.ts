import { expect, test } from "vitest";
import { sweepHolds } from "#app/features/waitlist/promote-waiting.server.ts";
import { useErasure } from "./erasure.ts";
import { ada, aGame, ben, hoursLater } from "./fixtures.ts";
import { holdsOf } from "./holds.ts";
import {
  account,
  expectLockOrder,
  friendHold,
  game,
  paymentHold,
  readAsStored,
  stripeEvents,
  wallet,
} from "./lock-order.ts";
import { payingOf } from "./payment-holds.ts";
import { deliverEvents, singlePurchase } from "./payments.ts";
import { waitlistOf } from "./waitlist.ts";

// The order of lock-order.test.ts for held spots. Rows of holds for friends are only written under their
// game's lock; money writes those of who pays without it, so they come after the wallet.
const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;
const holds = holdsOf(scenario.database);
const paying = payingOf(scenario.database);

async function aHold() {
  const { gameId, host } = await holds.aGameWithAHost();
  return { gameId, host, token: await holds.hold(gameId, host) };
}

test("holding a spot locks game, wallet, hold; giving it back game, hold", async () => {
  await expectLockOrder(db(), async () => {
    // One that is over, and is ended for the next one.
    const { gameId, host, token } = await aHold();
    const run = () => holds.hold(gameId, host, hoursLater(0.5));
    return { locks: [game(gameId), wallet(host), friendHold(token)], run };
  });
  await expectLockOrder(db(), async () => {
    const { gameId, host, token } = await aHold();
    const run = async () => expect(await holds.giveBack(gameId, host)).toEqual({ ok: true });
    return { locks: [game(gameId), friendHold(token)], run };
  });
});

test("taking a held spot locks game, wallet", () =>
  expectLockOrder(db(), async () => {
    const { gameId, token } = await aHold();
    const friend = await ada(db());
    const run = () => holds.take(gameId, friend, token);
    return { locks: [game(gameId), wallet(friend)], run };
  }));

test("the sweep of a spot that somebody waits for locks game, wallet", () =>
  expectLockOrder(db(), async () => {
    const { gameId } = await aHold();
    const [waiter] = await waitlistOf(scenario.database).waiters(gameId, 1);
    const run = () => sweepHolds(db(), scenario.app.jobs, hoursLater(0.5));
    return { locks: [game(gameId), wallet(waiter!)], run };
  }));

async function aPayer() {
  const [gameId, payer] = [await aGame(db(), { spots: 1 }), await ben(db())];
  return { gameId, payer, hold: paymentHold(await paying.hold(gameId, payer)) };
}

test.each(["lower", "higher"])(
  "going to pay for another game, of the %s id, locks account, games by id, wallet, hold",
  (which) =>
    expectLockOrder(db(), async () => {
      const payer = await ben(db());
      const games = [await aGame(db()), await aGame(db())].toSorted();
      const [before, next] = which === "higher" ? games : games.toReversed();
      const hold = paymentHold(await paying.hold(before!, payer));
      const run = () => paying.hold(next!, payer);
      return { locks: [account(payer), ...games.map(game), wallet(payer), hold], run };
    }),
);

test("no longer paying locks game, wallet, hold", () =>
  expectLockOrder(db(), async () => {
    const { gameId, payer, hold } = await aPayer();
    const run = async () => expect(await paying.stop(gameId, payer)).toMatchObject({ ok: true });
    return { locks: [game(gameId), wallet(payer), hold], run };
  }));

test("money locks Stripe's events, wallet, hold, and no game", async () => {
  await expectLockOrder(db(), async () => {
    const { payer, hold } = await aPayer();
    const run = () => deliverEvents(scenario.app, singlePurchase(payer).completed);
    return { locks: [stripeEvents, wallet(payer), hold], run };
  });
  await expectLockOrder(db(), async () => {
    const { payer, hold } = await aPayer();
    const bank = singlePurchase(payer);
    const run = () => deliverEvents(scenario.app, bank.unpaid);
    return { locks: [stripeEvents, wallet(payer), hold], run };
  });
  await expectLockOrder(db(), async () => {
    const { payer, hold } = await aPayer();
    const bank = singlePurchase(payer);
    await deliverEvents(scenario.app, bank.unpaid);
    const run = () => deliverEvents(scenario.app, bank.failed);
    return { locks: [stripeEvents, wallet(payer), hold], run };
  });
});

test("booking who has paid locks game, wallet, hold; keeping the credits game, hold", async () => {
  await expectLockOrder(db(), async () => {
    const { gameId, payer, hold } = await aPayer();
    await deliverEvents(scenario.app, singlePurchase(payer).completed);
    return { locks: [game(gameId), wallet(payer), hold], run: () => paying.work() };
  });
  await expectLockOrder(db(), async () => {
    const { gameId, payer, hold } = await aPayer();
    await deliverEvents(scenario.app, singlePurchase(payer).completed);
    await db().updateTable("games").set({ status: "Cancelled" }).where("id", "=", gameId).execute();
    return { locks: [game(gameId), hold], run: () => paying.work() };
  });
});

test("the lapse of a spot that is not paid locks game, hold", () =>
  expectLockOrder(db(), async () => {
    const { gameId, hold } = await aPayer();
    return { locks: [game(gameId), hold], run: () => paying.sweep(hoursLater(0.25)) };
  }));

test("a deletion locks account, wallet, hold", () =>
  expectLockOrder(db(), async () => {
    const { userId, ...who } = await scenario.player({ credits: 0 });
    const hold = paymentHold(await paying.hold(await aGame(db()), userId));
    const run = async () => expect(await scenario.remove({ userId, ...who })).toEqual({ ok: true });
    return { locks: [account(userId), wallet(userId), hold], run };
  }));
