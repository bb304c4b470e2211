import { expect, test } from "vitest";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { storeDefaults } from "./defaults.ts";

const database = useDatabase();
const packs = () =>
  database.db.selectFrom("credit_packs").selectAll().orderBy("price_eur").execute();
const texts = () =>
  database.db.selectFrom("legal_pages").selectAll().orderBy("page_type").execute();

// spec: 2.87, 3.20, 9.20, 9.34
test("four packs, one of any amount and two texts, with the cancellation rule in the Terms", async () => {
  const { env } = testApp(database);
  await storeDefaults(database.db, env);
  const sold = (await packs()).map((pack) => [
    pack.pack_key,
    pack.price_eur,
    pack.total_credit_eur,
    pack.is_active,
  ]);
  expect(sold).toEqual([
    ["any_amount", "0.50", "0.50", false],
    ["pay_per_game", "9.99", "10.00", true],
    ["monthly_4", "34.00", "40.00", true],
    ["monthly_8", "64.00", "80.00", true],
    ["monthly_12", "90.00", "120.00", true],
  ]);
  for (const pack of await packs()) {
    expect(pack.stripe_payment_link_id).toMatch(/^plink_/);
    expect(pack.stripe_price_id).toMatch(/^price_/);
    expect(pack.stripe_checkout_link).toBe(`${env.appUrl}${env.paymentLinkPrefix}${pack.pack_key}`);
  }
  const [privacy, terms] = await texts();
  expect([privacy?.title, terms?.title]).toEqual(["Privacy Policy", "Terms & Conditions"]);
  for (const line of CANCELLATION_POLICY) expect(terms?.content).toContain(line);
  for (const { content } of [privacy!, terms!]) {
    expect(content).toContain(env.contactEmail);
    expect(content).not.toMatch(/undefined|\[object|NaN/);
  }
  expect(terms?.content).toContain("within 14 days");
  expect(terms?.content).toContain("Consumer Disputes Board");
});

test("the Terms promise nothing about credits that the wallet does not do", async () => {
  await storeDefaults(database.db, testApp(database).env);
  const content = (await texts()).at(-1)!.content.replaceAll(/\s+/g, " ");
  // expire-lots.test.ts, lots.test.ts and delete-account.test.ts prove what these say.
  for (const sentence of [
    "Credits that you buy singly or earn do not expire.",
    "Credits that you get back can be used for as long as before you spent them",
    "after cancelling a monthly plan; credits that are left then lapse.",
    "you get the full price back, and a free session stays used.",
    "write to us before you delete your account, and we refund unused bought credits.",
  ]) {
    expect(content).toContain(sentence);
  }
});

test("what exists is left as it is", async () => {
  const { env } = testApp(database);
  await database.db.updateTable("legal_pages").set({ content: "Ours" }).execute();
  await database.db.updateTable("credit_packs").set({ price_eur: "12.00" }).execute();
  await storeDefaults(database.db, env);
  expect((await texts()).map(({ content }) => content)).toEqual(["Ours", "Ours"]);
  expect(new Set((await packs()).map((pack) => pack.price_eur))).toEqual(new Set(["12.00"]));
  expect(await packs()).toHaveLength(5);
});

test("the sandbox moves with the site; a stored link stays", async () => {
  const { env } = testApp(database);
  const own = "https://buy.stripe.com/own";
  const link = database.db.updateTable("credit_packs").set({ stripe_checkout_link: own });
  await link.where("pack_key", "=", "monthly_4").execute();
  await storeDefaults(database.db, { ...env, appUrl: "http://localhost:4000" });
  const stored = (await packs()).map((pack) => [pack.pack_key, pack.stripe_checkout_link]);
  expect(Object.fromEntries(stored)).toMatchObject({
    pay_per_game: "http://localhost:4000/demo/checkout/pay_per_game",
    monthly_4: own,
  });
});

test("outside the demo no pack claims an identity at Stripe", async () => {
  const { env } = testApp(database);
  await database.db.deleteFrom("credit_packs").execute();
  await storeDefaults(database.db, { ...env, demo: false });
  for (const pack of await packs()) {
    expect([pack.stripe_payment_link_id, pack.stripe_checkout_link]).toEqual([null, null]);
    expect(pack.stripe_price_id).toBeNull();
  }
});
