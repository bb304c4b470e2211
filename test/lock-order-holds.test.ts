import { expect, test } from "vitest";
import { sweepHolds } from "#app/features/waitlist/promote-waiting.server.ts";
import { useErasure } from "./erasure.ts";
import { ada, hoursLater } from "./fixtures.ts";
import { holdsOf } from "./holds.ts";
import { expectLockOrder, friendHold, game, readAsStored, wallet } from "./lock-order.ts";
import { waitlistOf } from "./waitlist.ts";

// The order of lock-order.test.ts for spots that are held for friends: rows of holds are only written
// under their game's lock.
const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;
const holds = holdsOf(scenario.database);

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
