import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, PACK, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { balanceCents, ben } from "#test/fixtures.ts";
import { sandboxIds } from "#app/platform/sandbox.ts";
import { DEFAULT_PACKS, findPack, listPacks, type Pack } from "./packs.server.ts";
import { dealKey } from "./deal-rules.ts";
import { createPack, editPack } from "./edit-pack.server.ts";

const database = useDatabase(10);
const BUY = "https://buy.stripe.com/";
beforeAll(() => somePacks(database.db));
beforeEach(async () => {
  await database.db.deleteFrom("former_pack_prices").execute();
  for (const { pack_key: key, ...sold } of DEFAULT_PACKS) {
    const ids = { stripe_payment_link_id: `plink_${key}`, stripe_price_id: `price_${key}` };
    const pack = { ...sold, ...ids, is_active: true, awaits_link: false };
    const unlinked = { ...pack, stripe_checkout_link: null };
    await database.db
      .updateTable("credit_packs")
      .set(unlinked)
      .where("pack_key", "=", key)
      .execute();
  }
});

async function pack(key: string): Promise<Pack> {
  const { id } = (await listPacks(database.db)).find((each) => each.key === key)!;
  return (await findPack(database.db, id))!;
}
const inputOf = ({ name, priceCents, creditsCents, isActive }: Pack) => ({
  name,
  priceCents,
  creditsCents,
  isActive,
});
function edit(of: Pack, change: object, { mayDropLink = false, actor = "admin-1" } = {}) {
  const input = { ...inputOf(of), ...change };
  // Prices far from the former one have a test of their own.
  const agreed = { mayDropLink, confirmed: dealKey(input) };
  return editPack(database.db, { packId: of.id, version: of.version, input, ...agreed, actor });
}
const link = (key: string) =>
  database.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: `${BUY}${key}` })
    .where("pack_key", "=", key)
    .execute();
const entries = (subject: string) =>
  database.db.selectFrom("audit_log").selectAll().where("subject", "=", subject).execute();

test("name and sale status change without touching the link", async () => {
  await link("monthly_4");
  const before = await pack("monthly_4");
  const change = { name: "Month", isActive: false };
  expect(await edit(before, change)).toEqual({ ok: true, isLinkDropped: false });
  const after = await pack("monthly_4");
  expect(after).toEqual({ ...before, ...change, version: before.version + 1 });
  const [entry] = await entries(before.id);
  expect(entry).toMatchObject({
    actor: "admin-1",
    action: "pack.edit",
    details: { before: inputOf(before), after: inputOf(after), isLinkDropped: false },
  });
});

test("a new price asks first, then removes the link and keeps what it sold", async () => {
  await link(PACK);
  const before = await pack(PACK);
  expect(await edit(before, { priceCents: 1_250 })).toMatchObject({
    ...{ reason: "asks", dropsLink: true, isFar: false },
  });
  expect(await pack(PACK)).toEqual(before);
  const result = await edit(before, { priceCents: 1_250 }, { mayDropLink: true });
  expect(result).toEqual({ ok: true, isLinkDropped: true });
  expect(await pack(PACK)).toMatchObject({
    priceCents: 1_250,
    checkoutLink: null,
    priceId: null,
    paymentLinkId: null,
  });
  const former = await database.db.selectFrom("former_pack_prices").selectAll().execute();
  expect(former).toMatchObject([
    { stripe_price_id: before.priceId, price_eur: "9.99", total_credit_eur: "10.00" },
  ]);
});

describe("what was sold before a new price", () => {
  test("a link still open in a browser grants what it sold", async () => {
    const userId = await ben(database.db);
    const change = { priceCents: 1_250, creditsCents: 500 };
    await edit(await pack(PACK), change, { mayDropLink: true });
    await deliverEvents(database, singlePurchase(userId).completed);
    expect(await balanceCents(database.db, userId)).toBe(1_000);
  });

  test.each([{ priceCents: 5_000, creditsCents: 4_100 }, { creditsCents: 100 }])(
    "a subscription renews as it began, after %o",
    async (change) => {
      const userId = await ben(database.db);
      const story = monthlyPurchase(userId);
      await deliverEvents(database, [story.completed, story.paid(0)]);
      expect(await edit(await pack("monthly_4"), change)).toMatchObject({ dropsLink: true });
      await edit(await pack("monthly_4"), change, { mayDropLink: true });
      await deliverEvents(database, story.paid(1));
      expect(await balanceCents(database.db, userId)).toBe(4_000);
      const unmatched = database.db
        .selectFrom("stripe_events")
        .select("id")
        .where("status", "=", "parked");
      expect(await unmatched.execute()).toEqual([]);
    },
  );
});

test("a link made by hand keeps its id, by which Stripe reports its price", async () => {
  await database.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: `${BUY}hand`, stripe_price_id: null })
    .where("pack_key", "=", PACK)
    .execute();
  const before = await pack(PACK);
  await edit(before, { priceCents: 1_250 }, { mayDropLink: true });
  expect(await pack(PACK)).toMatchObject({
    checkoutLink: null,
    paymentLinkId: before.paymentLinkId,
  });
});

test("the sandbox sells at the current price, so its link stays", async () => {
  await database.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: "http://kickabout.test/demo/checkout/x", ...sandboxIds("x") })
    .where("pack_key", "=", PACK)
    .execute();
  const before = await pack(PACK);
  const result = await edit(before, { priceCents: 1_250 });
  expect(result).toEqual({ ok: true, isLinkDropped: false });
  expect((await pack(PACK)).checkoutLink).toBe(before.checkoutLink);
});

test("of two who edit the same version one gets the other's changes", async () => {
  const before = await pack("monthly_8");
  const results = await Promise.all([
    edit(before, { name: "One" }, { actor: "admin-1" }),
    edit(before, { name: "Other" }, { actor: "admin-2" }),
  ]);
  const stands = await pack("monthly_8");
  expect(results).toContainEqual({ ok: true, isLinkDropped: false });
  expect(results).toContainEqual({ ok: false, reason: "changed", current: stands });
  expect(await edit(stands, { name: "Other" })).toMatchObject({ ok: true });
});

test("a credit that costs a third more or less than before is asked about, once for these amounts", async () => {
  const { id: packId, ...before } = await pack("monthly_4");
  const input = { ...inputOf({ id: packId, ...before }), priceCents: 340_000 };
  const wish = { packId, version: before.version, mayDropLink: true, actor: "admin-1" };
  const asks = { ok: false, reason: "asks", dropsLink: false, isFar: true };
  const change = (confirmed?: string) => editPack(database.db, { ...wish, input, confirmed });
  expect(await change()).toMatchObject({ ...asks, before: { priceCents: 3_400 } });
  expect(await change(dealKey({ ...input, priceCents: 340_001 }))).toMatchObject(asks);
  expect(await pack("monthly_4")).toMatchObject({ priceCents: 3_400 });
  expect(await change(dealKey(input))).toEqual({ ok: true, isLinkDropped: true });
});

test("a new pack is compared with a euro for a credit", async () => {
  const input = { name: "Dear", priceCents: 15_000, creditsCents: 1_500, isActive: true };
  const made = { input, packId: crypto.randomUUID(), actor: "admin-1" };
  expect(await createPack(database.db, made)).toMatchObject({ reason: "asks", before: null });
  expect(await findPack(database.db, made.packId)).toBeNull();
  const confirmed = dealKey(input);
  expect(await createPack(database.db, { ...made, confirmed })).toEqual({ ok: true });
});

test("a form sent twice changes once and is recorded once", async () => {
  const before = await pack("monthly_12");
  for (let n = 0; n < 2; n += 1)
    expect(await edit(before, { name: "N" })).toMatchObject({ ok: true });
  expect(await entries(before.id)).toHaveLength(1);
});

test("a new pack is a monthly one without a link, once for each form", async () => {
  const input = { name: "Term", priceCents: 15_000, creditsCents: 20_000, isActive: true };
  const packId = crypto.randomUUID();
  const made = { input, packId, actor: "admin-1" };
  expect(await createPack(database.db, made)).toEqual({ ok: true });
  expect(await createPack(database.db, made)).toEqual({ ok: true });
  // The form was gone back to, and changed.
  const other = { ...made, input: { ...input, priceCents: 16_000 } };
  expect(await createPack(database.db, other)).toEqual({ ok: false, reason: "form-used" });
  expect(await findPack(database.db, packId)).toMatchObject({
    ...{ ...input, isActive: false, awaitsLink: true },
    isMonthly: true,
    checkoutLink: null,
  });
  expect(await entries(packId)).toHaveLength(1);
  const nameless = await createPack(database.db, { ...made, packId: "x" });
  expect(nameless).toEqual({ ok: false, reason: "no-id" });
});
