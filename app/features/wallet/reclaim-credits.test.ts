import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import {
  everyOrder,
  lotsOf,
  monthlyPurchase,
  unmatchedEvents,
  singlePurchase,
  somePacks,
  deliverEvents,
  olderInvoice,
} from "#test/payments.ts";
import { balanceCents, ben } from "#test/fixtures.ts";
import {
  invoicePayment,
  charge,
  event,
  type SentEvent,
  stripeId,
} from "#app/routes/demo/stripe-objects.ts";

/* Refunds and disputes, in whatever order the events come. */
const database = useDatabase();
const db = () => database.db;
beforeAll(() => somePacks(db()));
const credits = async (userId: string) => (await balanceCents(db(), userId)) / 100;

test("a refund reclaims in proportion, once, even if repeated or late", async () => {
  for (const order of everyOrder([300, 600, 999])) {
    const userId = await ben(db());
    const story = singlePurchase(userId);
    await deliverEvents(database, story.completed);
    let most = 0;
    for (const cents of order) {
      await deliverEvents(database, [story.refunded(cents), story.refunded(cents)]);
      most = Math.max(most, cents);
      expect(await balanceCents(db(), userId)).toBe(1_000 - Math.floor((1_000 * most) / 999));
    }
    expect(await credits(userId)).toBe(0);
  }
  await expectRightBooks(database);
});

test("a refund reported before its payment waits for it", async () => {
  const userId = await ben(db());
  const story = singlePurchase(userId);
  expect(
    await deliverEvents(database, [story.refunded(999), story.disputed("won"), story.completed]),
  ).toEqual(["unmatched", "unmatched", "applied"]);
  expect(await credits(userId)).toBe(0);
  expect(await unmatchedEvents(db())).not.toContainEqual(
    expect.objectContaining({ reason: "unknown-payment" }),
  );
});

test("a month's refund is known by the invoice's payment, in either order and shape", async () => {
  const orders = (story: ReturnType<typeof monthlyPurchase>): SentEvent[][] => {
    const invoiceId = story.invoiceId(0);
    const pi = stripeId("pi", invoiceId);
    const back = { amount: 3_400, amount_refunded: 3_400, payment_intent: pi };
    const older = olderInvoice({
      id: invoiceId,
      customer: story.customerId,
      subscriptionId: story.id,
      priceId: "price_monthly_4",
      billing_reason: "subscription_create",
    });
    return [
      [
        story.paid(0),
        event("invoice_payment.paid", invoicePayment({ invoice: invoiceId })),
        event("charge.refunded", charge(back)),
      ],
      [event("invoice.paid", older), event("charge.refunded", charge(back))],
      [story.paid(0), event("charge.refunded", charge({ ...back, invoice: invoiceId }))],
    ];
  };
  for (const shape of [0, 1, 2]) {
    for (const order of everyOrder(shape === 0 ? [0, 1, 2] : [0, 1])) {
      const userId = await ben(db());
      const story = monthlyPurchase(userId);
      const events = orders(story)[shape]!;
      await deliverEvents(database, [story.completed, ...order.map((n) => events[n]!)]);
      expect(await credits(userId)).toBe(0);
      expect(await lotsOf(db(), userId)).toHaveLength(1);
    }
  }
  await expectRightBooks(database);
});

test("a dispute reclaims, a won one restores, an inquiry does neither", async () => {
  const orders = (story: ReturnType<typeof singlePurchase>, end: "won" | "lost") => [
    story.disputed("warning_needs_response"),
    story.disputed("needs_response"),
    story.disputed(end),
  ];
  for (const [end, left] of [
    ["won", 10],
    ["lost", 0],
  ] as const) {
    for (const order of everyOrder([0, 1, 2])) {
      const userId = await ben(db());
      const story = singlePurchase(userId);
      const events = orders(story, end);
      await deliverEvents(database, story.completed);
      await deliverEvents(
        database,
        order.map((n) => events[n]!),
      );
      expect(await credits(userId)).toBe(left);
    }
  }
  const userId = await ben(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, [story.completed, story.disputed("warning_needs_response")]);
  expect(await credits(userId)).toBe(10);
  await deliverEvents(database, story.disputed("needs_response"));
  expect(await credits(userId)).toBe(0);
  await expectRightBooks(database);
});

test("a failed refund is shown to an admin", async () => {
  const failed = event("refund.failed", { id: "re_1", object: "refund" });
  expect(await deliverEvents(database, failed)).toEqual(["unmatched"]);
});

test("a dispute in another currency is about the whole payment", async () => {
  const userId = await ben(db());
  const story = singlePurchase(userId);
  const dispute = story.disputed("needs_response");
  const pounds = { ...dispute.data.object, currency: "gbp", amount: 850 };
  await deliverEvents(database, [story.completed, { ...dispute, data: { object: pounds } }]);
  expect(await credits(userId)).toBe(0);
});
