import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { ben, NOW } from "#test/fixtures.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { beginCheckout } from "./begin-checkout.server.ts";
import { dealKey } from "#app/features/wallet/deal-rules.ts";
import { createPack, editPack } from "#app/features/wallet/edit-pack.server.ts";
import { makePaymentLink } from "./make-payment-link.server.ts";
import { findPack, listActivePacks, packFact } from "#app/features/wallet/packs.server.ts";
import { createPaymentLinks } from "./payment-links.server.ts";

const database = useDatabase(10);
const fake = useFakeStripe();
const BUY = "https://buy.stripe.com/";
const INPUT = { name: "Term", priceCents: 5_000, creditsCents: 6_000, isActive: true };
const ACTOR = "admin-1";

let packId: string;
beforeEach(async () => {
  await database.db.deleteFrom("former_pack_prices").execute();
  await database.db.deleteFrom("credit_packs").execute();
  packId = await aPack();
});

async function aPack(input = INPUT) {
  const id = crypto.randomUUID();
  expect(await createPack(database.db, { packId: id, input, actor: ACTOR })).toEqual({ ok: true });
  return id;
}
const shop = ({ prefix = BUY, timeout = 5_000 } = {}) => ({
  ...{ appUrl: "https://k.example", paymentLinkPrefix: prefix },
  stripe: openStripe("sk_test_1", { ...fake.options, timeout, maxNetworkRetries: 0 }),
});
const make = (limits = {}) =>
  makePaymentLink(database.db, { packId, actor: ACTOR, ...shop(limits) });
const pack = async () => (await findPack(database.db, packId))!;
const isOffered = async () => (await listActivePacks(database.db)).some(({ id }) => id === packId);
const buy = async () =>
  beginCheckout(database.db, {
    ...{ packId, userId: await ben(database.db), email: "b@uni.example", prefix: BUY, now: NOW },
  });
const edit = async (change: object, mayDropLink = true) => {
  const { version } = await pack();
  const input = { ...INPUT, ...change };
  const agreed = { mayDropLink, confirmed: dealKey(input) };
  return editPack(database.db, { packId, version, input, ...agreed, actor: ACTOR });
};
const atStripe = (kind: string) => [...fake.objects.values()].filter((it) => it.object === kind);
const entries = () =>
  database.db
    .selectFrom("audit_log")
    .select(["actor", "action"])
    .where("subject", "=", packId)
    .where("action", "=", "pack.link")
    .execute();

describe("a pack without a link", () => {
  test("is not offered to players, nor sold to one who knows its id", async () => {
    expect(await pack()).toMatchObject({ isActive: false, awaitsLink: true });
    expect(await isOffered()).toBe(false);
    expect(await buy()).toEqual({ ok: false, reason: "unknown-pack" });
  });

  test("is on sale as soon as it has one, if that was wished", async () => {
    expect(await make()).toEqual({ ok: true });
    expect(await pack()).toMatchObject({ isActive: true, awaitsLink: false });
    expect(await buy()).toMatchObject({ ok: true, url: expect.stringContaining(BUY) });
    expect(await entries()).toEqual([{ actor: ACTOR, action: "pack.link" }]);
    packId = await aPack({ ...INPUT, isActive: false });
    expect(await make()).toEqual({ ok: true });
    expect(await pack()).toMatchObject({ isActive: false, awaitsLink: false });
    expect((await edit({ isActive: true })).ok).toBe(true);
    expect(await isOffered()).toBe(true);
  });

  test("is made none of another deal than its page has shown", async () => {
    const shown = packFact(await pack());
    await edit({ priceCents: 5_500 });
    const making = { packId, actor: ACTOR, shown, ...shop() };
    const changed = { ok: false, reason: "changed" };
    expect(await makePaymentLink(database.db, making)).toEqual(changed);
    expect(fake.objects.has(`pack_${packId}`)).toBe(false);
  });

  test("is one again after another price, until there is a new link", async () => {
    await make();
    const former = (await pack()).checkoutLink;
    expect(await edit({ priceCents: 5_500 })).toMatchObject({ isLinkDropped: true });
    expect([await isOffered(), (await pack()).awaitsLink]).toEqual([false, true]);
    expect(await make()).toEqual({ ok: true });
    expect(await isOffered()).toBe(true);
    expect((await pack()).checkoutLink).not.toBe(former);
    expect(atStripe("payment_link").filter(({ active }) => active)).toHaveLength(1);
  });

  test("gets its link by the operator's command too, and by SQL", async () => {
    for await (const { outcome } of createPaymentLinks({ db: database.db, ...shop() })) {
      expect(outcome).toBe("made");
    }
    expect(await isOffered()).toBe(true);
    await edit({ creditsCents: 7_000 });
    expect(await isOffered()).toBe(false);
    await database.pool.query("update credit_packs set stripe_checkout_link = $1", [`${BUY}x`]);
    expect(await isOffered()).toBe(true);
  });
});

test("two at once make one of each, and a repeat makes nothing", async () => {
  expect(await Promise.all([make(), make(), make()])).toEqual(Array(3).fill({ ok: true }));
  const kinds = ["product", "price", "payment_link"];
  expect(kinds.map((kind) => atStripe(kind).length)).toEqual([1, 1, 1]);
  expect(await entries()).toHaveLength(1);
  fake.asked.length = 0;
  expect(await make()).toEqual({ ok: true });
  expect(fake.asked.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
});

describe("nothing is sold", () => {
  test.each([
    ["GET /v1/products", "error"],
    ["POST /v1/prices", "rate-limit"],
    ["POST /v1/payment_links", "silence"],
    ["POST /v1/payment_links", "lost"],
  ] as const)("while Stripe is down (%s: %s); the next try makes it", async (call, failure) => {
    fake.fail(call, failure);
    const first = await make({ timeout: 200 });
    // A lost answer may be made up for by the package's own retry.
    expect([{ ok: true }, { ok: false, reason: "unavailable" }]).toContainEqual(first);
    expect(await isOffered()).toBe(first.ok);
    expect(await make()).toEqual({ ok: true });
    expect(atStripe("payment_link")).toHaveLength(1);
  });

  test("by a link off the prefix, and where there is no such pack", async () => {
    expect(await make({ prefix: "https://pay.k.example/" })).toEqual({
      ...{ ok: false, reason: "rejected" },
    });
    expect(await isOffered()).toBe(false);
    for (packId of ["x", crypto.randomUUID()]) {
      expect(await make()).toEqual({ ok: false, reason: "gone" });
    }
  });

  test("where somebody edits it meanwhile", async () => {
    const making = make();
    const editing = edit({ priceCents: 9_900 });
    const [made] = await Promise.all([making, editing]);
    // Whichever came first, no link sells the former price.
    expect([{ ok: true }, { ok: false, reason: "changed" }]).toContainEqual(made);
    const { checkoutLink, priceId, priceCents } = await pack();
    const sold = fake.objects.get(priceId!)?.unit_amount;
    expect(checkoutLink === null || sold === priceCents).toBe(true);
  });
});

test("in the demo the sandbox is its link", async () => {
  const stripe = null;
  const at = { appUrl: "http://localhost:3000", paymentLinkPrefix: "http://localhost:3000/demo/" };
  const link = () => makePaymentLink(database.db, { packId, actor: ACTOR, ...at, stripe });
  expect(await Promise.all([link(), link()])).toEqual([{ ok: true }, { ok: true }]);
  const { key, checkoutLink, priceId } = await pack();
  expect(checkoutLink).toBe(`http://localhost:3000/demo/checkout/${key}`);
  expect(priceId).toBe(`price_demo_${key}`);
  expect([await isOffered(), (await entries()).length]).toEqual([true, 1]);
  expect(await edit({ priceCents: 7_700 }, false)).toEqual({ ok: true, isLinkDropped: false });
  expect(await isOffered()).toBe(true);
  packId = crypto.randomUUID();
  expect(await link()).toEqual({ ok: false, reason: "gone" });
});
