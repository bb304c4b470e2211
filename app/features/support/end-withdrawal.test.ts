import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { somePacks } from "#test/payments.ts";
import { aBuyer, takeBack, walletOf, withdraw } from "#test/withdrawals.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

test("a withdrawal from one purchase can be taken back three times", async () => {
  const player = await aBuyer(database);
  for (let n = 0; n < 3; n += 1) {
    expect(await takeBack(database, (await withdraw(database, player))!)).toEqual({ ok: true });
  }
  const fourth = (await withdraw(database, player))!;
  expect(await takeBack(database, fourth)).toEqual({ ok: false, reason: "too-late" });
  expect((await walletOf(database, player.userId)).balanceCents).toBe(0);
});
