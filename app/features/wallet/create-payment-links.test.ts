import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { balanceCents, ben } from "#test/fixtures.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { addPack, DEFAULT_PACKS } from "./packs.server.ts";
import { createPaymentLinks } from "#app/features/wallet/stripe/payment-links.server.ts";

const database = useDatabase();
const fake = useFakeStripe();
const BUY = "https://buy.stripe.com/";

/** Runs it to its end: the outcomes by pack, in the order in which they were reported. */
async function run({ prefix = BUY, timeout = 5_000, maxNetworkRetries = 0 } = {}) {
  const stripe = openStripe("sk_test_1", { ...fake.options, timeout, maxNetworkRetries });
  const shop = { stripe, db: database.db, appUrl: "https://k.example", paymentLinkPrefix: prefix };
  const outcomes: string[] = [];
  for await (const { packKey, outcome } of createPaymentLinks(shop)) {
    outcomes.push(`${packKey} ${outcome}`);
  }
  return outcomes;
}

const all = (outcome: string) => DEFAULT_PACKS.map(({ pack_key }) => `${pack_key} ${outcome}`);
const posts = () => fake.asked.filter(({ call }) => call.startsWith("POST"));
const atStripe = (kind: string) => [...fake.objects.values()].filter((it) => it.object === kind);
const priced = (key: string, price_eur: string) =>
  database.db.updateTable("credit_packs").set({ price_eur }).where("pack_key", "=", key).execute();
const former = () => database.db.selectFrom("former_pack_prices").selectAll().execute();
const pack = (key: string) =>
  database.db
    .selectFrom("credit_packs")
    .selectAll()
    .where("pack_key", "=", key)
    .executeTakeFirstOrThrow();

beforeEach(async () => {
  await database.db.deleteFrom("former_pack_prices").execute();
  await database.db.deleteFrom("payments").execute();
  await database.db.deleteFrom("credit_packs").execute();
  for (const each of DEFAULT_PACKS) await addPack(database.db, each);
});

test("every pack on sale gets a product, a price and a link, and later runs make nothing", async () => {
  await addPack(database.db, { ...DEFAULT_PACKS[0]!, pack_key: "old", is_active: false });
  expect(await run()).toEqual(all("made"));
  const single = await pack("pay_per_game");
  expect(fake.objects.get(single.stripe_price_id!)).toMatchObject({
    product: `pack_${single.id}`,
    currency: "eur",
    unit_amount: 999,
    tax_behavior: "inclusive",
    recurring: null,
  });
  expect(fake.objects.get(`pack_${single.id}`)).toMatchObject({
    name: "Single game",
    metadata: { pack_key: "pay_per_game" },
  });
  expect(fake.objects.get(single.stripe_payment_link_id!)).toMatchObject({
    url: single.stripe_checkout_link,
    allow_promotion_codes: false,
    metadata: { pack_key: "pay_per_game" },
    after_completion: {
      type: "redirect",
      redirect: { url: "https://k.example/wallet/paid?session_id={CHECKOUT_SESSION_ID}" },
    },
  });
  const monthly = await pack("monthly_4");
  const recurring = { interval: "month", interval_count: 1 };
  expect(fake.objects.get(monthly.stripe_price_id!)).toMatchObject({
    unit_amount: 3400,
    recurring,
  });
  expect((await pack("old")).stripe_checkout_link).toBeNull();

  fake.asked.length = 0;
  expect(await run()).toEqual(all("kept"));
  expect(posts()).toEqual([]);
});

test("sandbox links count as missing and are not kept as former ones", async () => {
  await database.db
    .updateTable("credit_packs")
    .set({
      stripe_checkout_link: "http://localhost:3000/demo/checkout/pay_per_game",
      stripe_payment_link_id: "plink_demo_pay_per_game",
      stripe_price_id: "price_demo_pay_per_game",
    })
    .where("pack_key", "=", "pay_per_game")
    .execute();
  expect(await run()).toEqual(all("made"));
  expect((await pack("pay_per_game")).stripe_checkout_link).toContain(BUY);
  expect(await former()).toEqual([]);
});

test.each([
  ["POST /v1/products", "error", "An unknown error occurred"],
  ["POST /v1/prices", "rate-limit", "Too many requests"],
  ["POST /v1/payment_links", "error", "An unknown error occurred"],
  ["GET /v1/payment_links", "silence", "timeout being reached"],
  ["POST /v1/payment_links", "lost", "none"],
  ["POST /v1/prices", "lost", "none"],
  ["POST /v1/products", "reset", "none"],
] as const)("%s: %s; in the end there is one of each", async (call, failure, message) => {
  await database.db.updateTable("credit_packs").set({ is_active: false }).execute();
  await database.db
    .updateTable("credit_packs")
    .set({ is_active: true })
    .where("pack_key", "=", "monthly_8")
    .execute();
  fake.fail(call, failure);
  // A closed connection is tried again at once, under the same idempotency key.
  const problem = await run({ timeout: 200 }).then(
    () => "none",
    (error: Error) => error.message,
  );
  expect(problem).toContain(message);
  await run();
  expect(await run()).toEqual(["monthly_8 kept"]);
  const kinds = ["product", "price", "payment_link"];
  expect(kinds.map((kind) => atStripe(kind).length)).toEqual([1, 1, 1]);
  expect((await pack("monthly_8")).stripe_price_id).toBe(atStripe("price")[0]!.id);
});

test("a run that stopped long ago resumes without its idempotency keys", async () => {
  fake.fail("POST /v1/payment_links", "reset");
  fake.fail("POST /v1/payment_links", "reset");
  await expect(run()).rejects.toThrow("connection to Stripe");
  fake.expireKeys();
  expect(await run()).toEqual(all("made"));
  expect(atStripe("price")).toHaveLength(4);
});

test("packs stored before a failure stay, and the next run does the rest", async () => {
  fake.fail("POST /v1/products", "lost");
  fake.fail("POST /v1/prices", "rate-limit");
  await expect(run()).rejects.toThrow("Too many requests");
  expect(await run()).toEqual(all("made"));
  expect(atStripe("product")).toHaveLength(4);
});

test("a new price makes a new link; the old one sells no more, and what it sold is known", async () => {
  await run();
  const before = await pack("monthly_4");
  await database.db.updateTable("credit_packs").set({ total_credit_eur: "50" }).execute();
  await priced("monthly_4", "36.00");
  expect(await run()).toContain("monthly_4 made");
  const after = await pack("monthly_4");
  expect(fake.objects.get(after.stripe_price_id!)).toMatchObject({ unit_amount: 3600 });
  expect(await former()).toMatchObject([
    {
      stripe_price_id: before.stripe_price_id,
      stripe_payment_link_id: before.stripe_payment_link_id,
      pack_id: before.id,
      price_eur: "34.00",
      total_credit_eur: "40.00",
    },
  ]);
  expect(fake.objects.get(before.stripe_payment_link_id!)).toMatchObject({ active: false });
  expect(fake.objects.get(before.stripe_price_id!)).toMatchObject({ active: true });
  expect(fake.objects.get(after.stripe_payment_link_id!)).toMatchObject({ active: true });
  expect(atStripe("product")).toHaveLength(4);
});

test("a price that comes back gets a link of its own again", async () => {
  await run();
  const first = await pack("pay_per_game");
  for (const price of ["12.00", "9.99"]) {
    await priced("pay_per_game", price);
    await run();
  }
  const last = await pack("pay_per_game");
  expect(last.stripe_price_id).not.toBe(first.stripe_price_id);
  const open = atStripe("payment_link").filter(({ active }) => active);
  expect(open.map(({ id }) => id)).toContain(last.stripe_payment_link_id);
  expect(open).toHaveLength(4);
  expect(await former()).toHaveLength(2);
});

test("an old link that stayed open is closed by the next run, and a purchase by it is granted", async () => {
  await run();
  const before = await pack("pay_per_game");
  await priced("pay_per_game", "12.00");
  fake.fail(`POST /v1/payment_links/${before.stripe_payment_link_id}`, "error");
  await expect(run()).rejects.toThrow("unknown error");
  const userId = await ben(database.db);
  const bought = singlePurchase(userId, { payment_link: before.stripe_payment_link_id });
  expect(await deliverEvents(database, bought.completed)).toEqual(["applied"]);
  expect(await balanceCents(database.db, userId)).toBe(1_000);
  expect(await run()).toEqual(all("kept"));
  expect(fake.objects.get(before.stripe_payment_link_id!)).toMatchObject({ active: false });
  await database.db.deleteFrom("credit_lots").execute();
});

test("more credits at the same price are noted at Stripe, so that a later price knows them", async () => {
  await run();
  const { stripe_price_id } = await pack("monthly_4");
  await database.db.updateTable("credit_packs").set({ total_credit_eur: "45.50" }).execute();
  expect(await run()).toEqual(all("kept"));
  expect(fake.objects.get(stripe_price_id!)).toMatchObject({
    metadata: { credits: "45.50", pack_key: "monthly_4" },
  });
});

test("a link off the prefix is not stored; with the right prefix the same one is", async () => {
  expect(await run({ prefix: "https://pay.k.example/" })).toEqual(all("rejected"));
  expect((await pack("monthly_4")).stripe_checkout_link).toBeNull();
  expect(await run()).toEqual(all("made"));
  expect(atStripe("payment_link")).toHaveLength(4);
  expect(await run({ prefix: "https://pay.k.example/" })).toEqual(all("rejected"));
  expect((await pack("monthly_4")).stripe_checkout_link).toContain(BUY);
});

test("a link that was made by hand is replaced, and stays known by its price", async () => {
  const stripe = openStripe("sk_test_1", fake.options);
  const product = await stripe.products.create({ name: "By hand" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "eur",
    unit_amount: 899,
  });
  const link = await stripe.paymentLinks.create({ line_items: [{ price: price.id, quantity: 1 }] });
  await database.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: link.url, stripe_payment_link_id: link.id })
    .where("pack_key", "=", "pay_per_game")
    .execute();
  expect(await run()).toEqual(all("made"));
  expect(await former()).toMatchObject([
    { stripe_price_id: price.id, stripe_payment_link_id: link.id, price_eur: "8.99" },
  ]);
});

test("ids that Stripe does not know, as when going live, are replaced and stay known", async () => {
  await run();
  const before = await pack("monthly_12");
  fake.objects.clear();
  fake.expireKeys();
  expect(await run()).toEqual(all("made"));
  expect(await former()).toHaveLength(4);
  expect((await pack("monthly_12")).stripe_price_id).not.toBe(before.stripe_price_id);
});

test("a price that was archived by hand is replaced", async () => {
  await run();
  const before = await pack("monthly_12");
  Object.assign(fake.objects.get(before.stripe_price_id!)!, { active: false });
  fake.expireKeys();
  expect(await run()).toContain("monthly_12 made");
  expect((await pack("monthly_12")).stripe_price_id).not.toBe(before.stripe_price_id);
});

test("a link that was deleted here comes back", async () => {
  await run();
  const before = await pack("monthly_12");
  await database.db.updateTable("credit_packs").set({ stripe_checkout_link: null }).execute();
  expect(await run()).toEqual(all("made"));
  expect(await pack("monthly_12")).toEqual({ ...before, version: before.version + 2 });
  expect(await former()).toEqual([]);
});

test("two runs at once make one of each", async () => {
  await Promise.all([run(), run()]);
  const kinds = ["product", "price", "payment_link"];
  expect(kinds.map((kind) => atStripe(kind).length)).toEqual([4, 4, 4]);
});

test("a pack that is edited while it is offered is not sold at the old price", async () => {
  const stripe = openStripe("sk_test_1", fake.options);
  const shop = { stripe, db: database.db, appUrl: "https://k.example", paymentLinkPrefix: BUY };
  const outcomes = createPaymentLinks(shop);
  await outcomes.next();
  await priced("monthly_4", "35.00");
  await expect(outcomes.next()).rejects.toThrow("monthly_4 was changed meanwhile");
  expect((await pack("monthly_4")).stripe_checkout_link).toBeNull();
  expect(await run()).toContain("monthly_4 made");
});
