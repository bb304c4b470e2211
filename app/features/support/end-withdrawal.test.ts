import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { somePacks } from "#test/payments.ts";
import { aBuyer, takeBack, walletOf, withdraw } from "#test/withdrawals.ts";

const world = useDatabase();
beforeAll(() => somePacks(world.db));

test("from one purchase a withdrawal is taken back three times, the fourth stands", async () => {
  const player = await aBuyer(world);
  for (let n = 0; n < 3; n += 1) {
    expect(await takeBack(world, (await withdraw(world, player))!)).toEqual({ ok: true });
  }
  const fourth = (await withdraw(world, player))!;
  expect(await takeBack(world, fourth)).toEqual({ ok: false, reason: "too-late" });
  expect((await walletOf(world, player.userId)).balanceCents).toBe(0);
});
