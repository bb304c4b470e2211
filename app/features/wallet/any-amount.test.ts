import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { balanceCents, ben } from "#test/fixtures.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { createPaymentLinks } from "#app/features/wallet/stripe/payment-links.server.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { stopSelling } from "./edit-pack.server.ts";
import { deductByAdjustment } from "./ledger.server.ts";
import { checkoutUrl, readAmount, shortageOf } from "./rules.ts";
import {
  deliverEvents,
  lotsOf,
  singlePurchase,
  somePacks,
  unmatchedEvents,
} from "#test/payments.ts";

/* The pack whose buyer chooses the amount, paid by Stripe's events. */
const database = useDatabase();
const fake = useFakeStripe();
const db = () => database.db;
const LINK = { payment_link: "plink_any_amount" };
let userId: string;
beforeAll(() => somePacks(db()));
beforeEach(async () => {
  userId = await ben(db());
});

const buy = (amount_total: number, session = {}) =>
  singlePurchase(userId, { ...LINK, amount_total, ...session });

test.each([50, 99, 137, 20_000])("%d cents grant as many credits, for good", async (cents) => {
  const { completed } = buy(cents);
  expect(await deliverEvents(database, [completed, completed])).toEqual(["applied", "repeated"]);
  expect(await balanceCents(db(), userId)).toBe(cents);
  expect(await lotsOf(db(), userId)).toMatchObject([{ source: "pack", expires_at: null }]);
  await expectRightBooks(database);
});

test.each([
  ["nothing", { amount_total: 0 }],
  ["another currency", { amount_total: 99, currency: "usd" }],
])("%s grants nothing and waits for an admin", async (_, session) => {
  const { completed, id } = singlePurchase(userId, { ...LINK, ...session });
  expect(await deliverEvents(database, completed)).toEqual(["unmatched"]);
  expect(await balanceCents(db(), userId)).toBe(0);
  expect(await unmatchedEvents(db())).toContainEqual(
    expect.objectContaining({ id: completed.id, reason: "wrong-amount" }),
  );
  expect(id).not.toBe("");
});

test("credits that the bank confirms later are those of the amount", async () => {
  const { unpaid, succeeded } = buy(99);
  await deliverEvents(database, unpaid);
  expect(await balanceCents(db(), userId)).toBe(0);
  await deliverEvents(database, succeeded);
  expect(await balanceCents(db(), userId)).toBe(99);
});

test("a refund and a dispute take back in proportion to what was paid", async () => {
  const bought = buy(137);
  await deliverEvents(database, [bought.completed, bought.refunded(37)]);
  expect(await balanceCents(db(), userId)).toBe(100);
  await deliverEvents(database, bought.disputed("needs_response"));
  expect(await balanceCents(db(), userId)).toBe(0);
  await deliverEvents(database, bought.disputed("won"));
  expect(await balanceCents(db(), userId)).toBe(100);
  await expectRightBooks(database);
});

test("what is paid settles a debt first", async () => {
  const first = buy(300);
  await deliverEvents(database, first.completed);
  const spent = { userId, amountCents: 300, notes: "Spent", businessKey: `spent:${userId}` };
  await db()
    .transaction()
    .execute((tx) => deductByAdjustment(tx, spent));
  await deliverEvents(database, [first.refunded(300), buy(1_300).completed]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
  await expectRightBooks(database);
});

describe("its link at Stripe", () => {
  const BUY = "https://buy.stripe.com/";
  async function makeLinks() {
    const stripe = openStripe("sk_test_1", fake.options);
    const shop = { stripe, db: db(), appUrl: "https://k.example", paymentLinkPrefix: BUY };
    const outcomes: string[] = [];
    for await (const { packKey, outcome } of createPaymentLinks(shop)) {
      outcomes.push(`${packKey} ${outcome}`);
    }
    return outcomes;
  }
  beforeEach(async () => {
    const none = {
      stripe_checkout_link: null,
      stripe_payment_link_id: null,
      stripe_price_id: null,
    };
    await db().updateTable("credit_packs").set(none).where("pack_key", "=", "any_amount").execute();
  });
  const findRow = () =>
    db()
      .selectFrom("credit_packs")
      .selectAll()
      .where("pack_key", "=", "any_amount")
      .executeTakeFirstOrThrow();

  test("has a price that the customer chooses, within its limits, and is made once", async () => {
    expect(await makeLinks()).toContain("any_amount made");
    const row = await findRow();
    expect(fake.objects.get(row.stripe_price_id!)).toMatchObject({
      unit_amount: null,
      custom_unit_amount: { minimum: 50, maximum: 20_000, preset: null },
      currency: "eur",
      recurring: null,
      metadata: { pack_key: "any_amount", credits: "as paid" },
    });
    expect(row.stripe_checkout_link).toContain(BUY);
    fake.asked.length = 0;
    expect(await makeLinks()).toContain("any_amount kept");
    expect(fake.asked.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  });

  test("is made again with other limits, and the former one is still known", async () => {
    await makeLinks();
    const before = await findRow();
    const price = fake.objects.get(before.stripe_price_id!)!;
    Object.assign(price, { custom_unit_amount: { minimum: 100, maximum: 200 }, lookup_key: null });
    fake.objects.get(before.stripe_payment_link_id!)!.active = false;
    fake.expireKeys();
    expect(await makeLinks()).toContain("any_amount made");
    expect((await findRow()).stripe_price_id).not.toBe(price.id);
    const { completed } = buy(70, { payment_link: before.stripe_payment_link_id });
    expect(await deliverEvents(database, completed)).toEqual(["applied"]);
    expect(await balanceCents(db(), userId)).toBe(70);
  });

  test("stays away once an organiser has stopped its sale, and its late payments are granted", async () => {
    await makeLinks();
    const { id: packId, stripe_payment_link_id } = await findRow();
    const stopping = { packId, actor: "test" };
    expect(await stopSelling(db(), stopping)).toEqual({ ok: true });
    expect(await stopSelling(db(), stopping)).toEqual({ ok: true });
    expect((await findRow()).stripe_checkout_link).toBeNull();
    expect((await makeLinks()).join()).not.toContain("any_amount");
    const { completed } = buy(70, { payment_link: stripe_payment_link_id });
    expect(await deliverEvents(database, completed)).toEqual(["applied"]);
    const [single] = await db()
      .selectFrom("credit_packs")
      .select("id")
      .where("pack_key", "=", "pay_per_game")
      .execute();
    const other = { packId: single!.id, actor: "test" };
    expect(await stopSelling(db(), other)).toEqual({ ok: false, reason: "gone" });
  });

  test("names the amount in cents once, whatever it carries itself", () => {
    const payer = { prefix: BUY, userId, email: "ada@uni.example" };
    const link = `${BUY}a?__prefilled_amount=1`;
    const url = new URL(checkoutUrl({ link, ...payer, amountCents: 99 })!);
    expect(url.searchParams.getAll("__prefilled_amount")).toEqual(["99"]);
  });
});

describe("what is missing for a price", () => {
  test.each([
    { price: 1_000, balance: 901, debt: 0, missing: 99, pay: 99 },
    { price: 1_000, balance: 980, debt: 0, missing: 20, pay: 50 },
    { price: 1_000, balance: 1, debt: 0, missing: 999, pay: 999 },
    { price: 1_000, balance: 0, debt: 300, missing: 1_300, pay: 1_300 },
    { price: 20_000, balance: 100, debt: 0, missing: 19_900, pay: 19_900 },
  ])("of $price with $balance and a debt of $debt is $missing, for $pay", (given) => {
    const wallet = { balanceCents: given.balance, debtCents: given.debt };
    const shortage = { missingCents: given.missing, payCents: given.pay };
    expect(shortageOf(given.price, wallet)).toEqual(shortage);
  });

  test.each([
    ["an empty wallet, which a pack fills for less", 1_000, 0, 0],
    ["a wallet that suffices", 1_000, 1_000, 0],
    ["a free session", 0, 901, 0],
    ["more than can be paid at once", 1_000, 0, 19_001],
  ])("is not sold for %s", (_, price, balance, debtCents) => {
    expect(shortageOf(price, { balanceCents: balance, debtCents })).toBeNull();
  });

  test.each([
    ["50", 50],
    ["99", 99],
    ["20000", 20_000],
    ["49", null],
    ["20001", null],
    ["0", null],
    ["-99", null],
    ["0.99", null],
    ["1e3", null],
    ["", null],
    [undefined, null],
  ])("as %j is sold as %j cents", (text, cents) => {
    expect(readAmount(text)).toBe(cents);
  });
});
