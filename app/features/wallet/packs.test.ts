import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../../test/db.ts";
import { ada, ben } from "../../../test/world.ts";
import { addPack, DEFAULT_PACKS } from "./add-pack.server.ts";
import { findActivePack, hasMonthlyPlan, listActivePacks } from "./packs.server.ts";

const world = useDatabase();
beforeAll(async () => {
  for (const pack of DEFAULT_PACKS.toReversed()) await addPack(world.db, pack);
  await addPack(world.db, {
    pack_key: "old",
    pack_name: "No longer sold",
    price_eur: "1.00",
    total_credit_eur: "10",
    is_active: false,
  });
});

test("what is on sale, cheapest first, in cents", async () => {
  const packs = await listActivePacks(world.db);
  expect(packs.map(({ priceCents, creditsCents }) => [priceCents, creditsCents])).toEqual([
    [999, 1_000],
    [3_400, 4_000],
    [6_400, 8_000],
    [9_000, 12_000],
  ]);
  expect(packs.map((pack) => pack.isMonthly)).toEqual([false, true, true, true]);
});

test("one that is on sale is found, no other and nothing that is no id", async () => {
  const [first] = await listActivePacks(world.db);
  expect(await findActivePack(world.db, first?.id)).toEqual(first);
  const old = world.db.selectFrom("credit_packs").select("id").where("is_active", "=", false);
  expect(await findActivePack(world.db, (await old.executeTakeFirstOrThrow()).id)).toBeNull();
  for (const id of [undefined, "", "pay_per_game", `${first?.id}\0`, crypto.randomUUID()]) {
    expect(await findActivePack(world.db, id)).toBeNull();
  }
});

test.each([
  ["active", true],
  ["trialing", true],
  ["past_due", true],
  ["canceled", false],
  ["unpaid", false],
  ["incomplete", false],
])("a plan that is %s counts: %s", async (status, counts) => {
  const [userId, other] = [await ada(world.db), await ben(world.db)];
  const customer_id = `cus_${userId}`;
  await world.db.insertInto("stripe_customers").values({ customer_id, user_id: userId }).execute();
  const plan = { id: `sub_${userId}`, customer_id, status, state_at: new Date() };
  await world.db.insertInto("subscriptions").values(plan).execute();
  expect(await hasMonthlyPlan(world.db, userId)).toBe(counts);
  expect(await hasMonthlyPlan(world.db, other)).toBe(false);
});
