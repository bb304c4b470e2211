import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import {
  everyOrder,
  lotsOf,
  monthlyPurchase,
  unmatchedEvents,
  secondsAt,
  somePacks,
  deliverEvents,
  olderInvoice,
} from "#test/payments.ts";
import { ada, balanceCents, ben, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { checkoutSession, customer, event, subscription } from "#app/routes/demo/stripe-objects.ts";
import { expireLots } from "./expire-lots.server.ts";
import { RUNNING } from "./rules.ts";

/* A monthly pack: subscribed to, renewed, ended, in whatever order the events come. */
const database = useDatabase();
const db = () => database.db;
beforeAll(() => somePacks(db()));
const credits = async (userId: string) => (await balanceCents(db(), userId)) / 100;

test("a month charged to a deleted account waits for an admin", async () => {
  const [before, after] = [monthlyPurchase(await ben(db())), monthlyPurchase(await ada(db()))];
  await deliverEvents(database, [before.completed, before.paid(0)]);
  for (const story of [before, after]) await markDeleted(db(), story.userId!);
  expect(await deliverEvents(database, before.paid(1))).toEqual(["unmatched"]);
  expect(await deliverEvents(database, [after.completed, after.paid(0)])).toEqual([
    "unmatched",
    "unmatched",
  ]);
});

test("of two months that end together only the one reported last is left", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, [story.completed, story.paid(0)]);
  await deliverEvents(database, story.paid(1, { period: story.period(0) }));
  expect(await credits(userId)).toBe(40);
  await expectRightBooks(database);
});

test("every order of its first events ends the same", async () => {
  const ends = new Set<string>();
  const deliver = (story: ReturnType<typeof monthlyPurchase>) => [
    story.completed,
    story.created,
    story.paid(0),
    event("customer.updated", customer({ id: story.customerId })),
  ];
  for (const order of everyOrder([0, 1, 2, 3])) {
    const userId = await ben(db());
    const story = monthlyPurchase(userId);
    const events = deliver(story);
    await deliverEvents(
      database,
      order.map((n) => events[n]!),
    );
    const subscriptions = db().selectFrom("subscriptions").where("id", "=", story.id);
    ends.add(
      JSON.stringify([
        await lotsOf(db(), userId),
        await subscriptions.select(["status", "current_period_end", "state_at"]).execute(),
      ]),
    );
  }
  expect([...ends].map((end) => JSON.parse(end))).toEqual([
    [
      [
        {
          source: "subscription",
          remaining_eur: "40.00",
          expires_at: "2026-12-21T10:00:00.000Z",
        },
      ],
      [
        {
          status: "active",
          current_period_end: "2026-12-21T10:00:00.000Z",
          state_at: NOW.toISOString(),
        },
      ],
    ],
  ]);
});

test("its credits come by the invoice, in the shape of either API", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, story.completed);
  expect(await credits(userId)).toBe(0);
  const older = olderInvoice({
    id: story.invoiceId(0),
    customer: story.customerId,
    subscriptionId: story.id,
    priceId: "price_monthly_4",
    billing_reason: "subscription_create",
    period: story.period(0),
  });
  await deliverEvents(database, [event("invoice.paid", older), story.paid(0)]);
  expect(await credits(userId)).toBe(40);
});

test("a renewal replaces what is left; a month reported late adds nothing", async () => {
  const userId = await ada(db());
  const story = monthlyPurchase(userId);
  await deliverEvents(database, [story.completed, story.paid(0)]);
  expect(await credits(userId)).toBe(140);
  await deliverEvents(database, story.paid(2), hoursLater(60 * 24));
  expect(await credits(userId)).toBe(140);
  await deliverEvents(database, story.paid(1), hoursLater(61 * 24));
  expect(await credits(userId)).toBe(140);
  const entries = await db()
    .selectFrom("wallet_transactions")
    .select(["type", "amount_eur", "notes"])
    .where("user_id", "=", userId)
    .orderBy("seq")
    .execute();
  const months = [
    { type: "topup", amount_eur: "40.00", notes: "4 games a month" },
    { type: "expiry", amount_eur: "-40.00", notes: "Monthly credits reset" },
  ];
  expect(entries.slice(1)).toEqual([months[0], months[0], months[1], months[0], months[1]]);
  await expectRightBooks(database);
});

test("a renewal at the price that the pack was sold at before", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  const pack = db().updateTable("credit_packs").where("pack_key", "=", "monthly_4");
  await pack.set({ stripe_price_id: "price_dearer", price_eur: "36" }).execute();
  await deliverEvents(database, [story.completed, story.paid(0)]);
  expect(await credits(userId)).toBe(0);
  const { id } = await db()
    .selectFrom("credit_packs")
    .select("id")
    .where("pack_key", "=", "monthly_4")
    .executeTakeFirstOrThrow();
  await db()
    .insertInto("former_pack_prices")
    .values({
      stripe_price_id: "price_monthly_4",
      stripe_payment_link_id: null,
      pack_id: id,
      price_eur: "34",
      total_credit_eur: "40",
    })
    .execute();
  await deliverEvents(database, [story.paid(1), story.paid(0)]);
  await db().deleteFrom("former_pack_prices").execute();
  await pack.set({ stripe_price_id: "price_monthly_4", price_eur: "34" }).execute();
  expect(await credits(userId)).toBe(40);
});

test.each([
  ["of a change in between", { billing_reason: "subscription_update" as const }, "not-a-month"],
  ["of another amount", { amount_paid: 3_399 }, "wrong-amount"],
  ["of the single pack's price", { priceId: "price_pay_per_game" }, "unknown-pack"],
])("is unmatched: an invoice %s", async (_, fields, reason) => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  const invoice = story.paid(0, fields);
  await deliverEvents(database, [story.completed, invoice]);
  expect(await unmatchedEvents(db())).toContainEqual({ id: invoice.id, reason, waits_for: [] });
  expect(await credits(userId)).toBe(0);
});

test("an invoice waits for its customer, whatever its email; a player may have two", async () => {
  const userId = await ben(db());
  const [first, second] = [monthlyPurchase(userId), monthlyPurchase(userId)];
  await deliverEvents(database, [first.paid(0), second.paid(0), second.paid(1)]);
  expect(await credits(userId)).toBe(0);
  await deliverEvents(database, second.completed);
  expect(await credits(userId)).toBe(40);
  await deliverEvents(database, first.completed);
  expect(await credits(userId)).toBe(80);
  await expectRightBooks(database);
});

test("a customer is nobody else's afterwards", async () => {
  const [userId, otherId] = [await ben(db()), await ben(db())];
  const story = monthlyPurchase(userId);
  const session = checkoutSession({
    mode: "subscription",
    client_reference_id: otherId,
    customer: story.customerId,
  });
  const stranger = event("checkout.session.completed", session);
  await deliverEvents(database, [story.completed, stranger, story.paid(0)]);
  expect(await unmatchedEvents(db())).toContainEqual({
    id: stranger.id,
    reason: "another-player",
    waits_for: [],
  });
  expect([await credits(userId), await credits(otherId)]).toEqual([40, 0]);
});

test("its state follows Stripe's clock in any order, and the end is the end", async () => {
  const deliver = (story: ReturnType<typeof monthlyPurchase>) => [
    event(
      "customer.subscription.created",
      subscription({ id: story.id, priceId: "price_monthly_4", status: "incomplete" }),
      { created: secondsAt(NOW) },
    ),
    story.updated(0),
    story.updated(1, { status: "past_due" }),
    story.deleted(2),
  ];
  for (const order of everyOrder([0, 1, 2, 3])) {
    for (const [count, expected] of [
      [4, "canceled"],
      [3, "past_due"],
      [2, "active"],
    ] as const) {
      const story = monthlyPurchase(null);
      const events = deliver(story);
      await deliverEvents(
        database,
        order.filter((n) => n < count).map((n) => events[n]!),
      );
      const { status } = await db()
        .selectFrom("subscriptions")
        .select("status")
        .where("id", "=", story.id)
        .executeTakeFirstOrThrow();
      expect(status).toBe(expected);
    }
  }
});

test("ended, it keeps its credits to the end of the paid month; running, a day longer", async () => {
  const end = new Date("2026-12-21T10:00:00Z");
  const players: string[] = [];
  for (const status of ["ended", ...RUNNING]) {
    const userId = await ben(db());
    const story = monthlyPurchase(userId);
    const last = status === "ended" ? story.deleted(0) : story.updated(0, { status });
    await deliverEvents(database, [story.completed, story.paid(0), last]);
    players.push(userId);
  }
  const at = async (minutes: number) => {
    await expireLots(db(), new Date(end.getTime() + minutes * 60_000));
    return Promise.all(players.map(credits));
  };
  expect(await at(-1)).toEqual([40, 40, 40, 40]);
  expect(await at(0)).toEqual([0, 40, 40, 40]);
  expect(await at(24 * 60 - 1)).toEqual([0, 40, 40, 40]);
  expect(await at(24 * 60)).toEqual([0, 0, 0, 0]);
  await expectRightBooks(database);
});

test("a state that names an unknown price keeps the pack that is known", async () => {
  const story = monthlyPurchase(null);
  await deliverEvents(database, [story.created, story.updated(1, { priceId: "price_unknown" })]);
  const { pack_id: packId } = await db()
    .selectFrom("subscriptions")
    .select("pack_id")
    .where("id", "=", story.id)
    .executeTakeFirstOrThrow();
  expect(packId).not.toBeNull();
});
