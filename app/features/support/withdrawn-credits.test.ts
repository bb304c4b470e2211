import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../../test/db.ts";
import { singlePurchase, somePacks, tell } from "../../../test/payments.ts";
import { aGame, balanceCents, ben, NOW } from "../../../test/world.ts";
import { joinGame } from "../bookings/join-game.server.ts";
import { listPurchases } from "./purchases.server.ts";
import { withdrawPurchase } from "./withdraw-purchase.server.ts";

const world = useDatabase();
beforeAll(() => somePacks(world.db));

test("credits that are being paid back cannot be played", async () => {
  const userId = await ben(world.db);
  await tell(world.db, singlePurchase(userId).completed);
  const [purchase] = await listPurchases(world.db, { userId, now: NOW });
  const statement = { userId, paymentId: purchase!.paymentId, now: NOW };
  expect(await withdrawPurchase(world.db, world.jobs, statement)).not.toBeNull();
  expect(await balanceCents(world.db, userId)).toBe(0);
  const join = { gameId: await aGame(world.db), playerId: userId, now: NOW };
  expect(await joinGame(world.db, world.jobs, join)).toMatchObject({
    reason: "not-enough-credits",
  });
});
