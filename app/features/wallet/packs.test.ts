import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  addPack,
  DEFAULT_PACKS,
  findActivePack,
  findPack,
  findSoldPack,
  listActivePacks,
  listPacks,
} from "./packs.server.ts";

const database = useDatabase();
beforeAll(async () => {
  for (const pack of DEFAULT_PACKS.toReversed()) await addPack(database.db, pack);
  await addPack(database.db, {
    pack_key: "old",
    pack_name: "No longer sold",
    price_eur: "1.00",
    total_credit_eur: "10",
    is_active: false,
  });
});

// spec: 3.20, 7.17
test("what is on sale, cheapest first, in cents", async () => {
  const packs = await listActivePacks(database.db);
  expect(packs.map(({ priceCents, creditsCents }) => [priceCents, creditsCents])).toEqual([
    [999, 1_000],
    [3_400, 4_000],
    [6_400, 8_000],
    [9_000, 12_000],
  ]);
  expect(packs.map((pack) => pack.isMonthly)).toEqual([false, true, true, true]);
});

test("one that is on sale is found, no other and nothing that is no id", async () => {
  const [first] = await listActivePacks(database.db);
  expect(await findActivePack(database.db, first?.id)).toEqual(first);
  const old = database.db.selectFrom("credit_packs").select("id").where("is_active", "=", false);
  expect(await findActivePack(database.db, (await old.executeTakeFirstOrThrow()).id)).toBeNull();
  for (const id of [undefined, "", "pay_per_game", `${first?.id}\0`, crypto.randomUUID()]) {
    expect(await findActivePack(database.db, id)).toBeNull();
    expect(await findPack(database.db, id)).toBeNull();
  }
});

test("what is no longer sold is known, after what is", async () => {
  const packs = await listPacks(database.db);
  expect(packs.map(({ key, isActive }) => [key, isActive])).toEqual([
    ["pay_per_game", true],
    ["monthly_4", true],
    ["monthly_8", true],
    ["monthly_12", true],
    ["old", false],
  ]);
  expect(await findPack(database.db, packs.at(-1)?.id)).toEqual(packs.at(-1));
});

test("a payment link or a price stands for its pack, at the price that it is sold at", async () => {
  const known = { stripe_price_id: "price_now", stripe_payment_link_id: "plink_now" };
  const row = database.db
    .updateTable("credit_packs")
    .set(known)
    .where("pack_key", "=", "monthly_4");
  const { id } = await row.returning("id").executeTakeFirstOrThrow();
  const before = { stripe_price_id: "price_before", stripe_payment_link_id: "plink_before" };
  await database.db
    .insertInto("former_pack_prices")
    .values({ ...before, pack_id: id, price_eur: "30", total_credit_eur: "35" })
    .execute();
  const [now, then] = [await findPack(database.db, id), { priceCents: 3_000, creditsCents: 3_500 }];
  expect(now).toMatchObject({ key: "monthly_4", priceCents: 3_400, priceId: "price_now" });
  expect(await findSoldPack(database.db, { priceId: "price_now" })).toEqual(now);
  expect(await findSoldPack(database.db, { paymentLinkId: "plink_now" })).toEqual(now);
  const former = { ...now, ...then, priceId: "price_before", paymentLinkId: "plink_before" };
  expect(await findSoldPack(database.db, { priceId: "price_before" })).toEqual(former);
  expect(await findSoldPack(database.db, { paymentLinkId: "plink_before" })).toEqual(former);
  for (const unknown of ["plink_now", "price_other", "", null]) {
    expect(await findSoldPack(database.db, { priceId: unknown })).toBeNull();
  }
});
