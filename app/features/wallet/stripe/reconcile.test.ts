import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { monthlyPurchase, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { balanceCents, ben, everything } from "#test/fixtures.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { reconcile } from "./reconcile.server.ts";
import { EVENT_TYPES } from "./stripe-event.ts";

const database = useDatabase();
const fake = useFakeStripe();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
const NOTHING = { applied: 0, repeated: 0, unmatched: 0, ignored: 0 };

function run({ days = 7, timeout = 5_000 } = {}) {
  const options = { ...fake.options, timeout, maxNetworkRetries: 0 };
  const stripe = openStripe("sk_test_1", options);
  return reconcile({ stripe, ...database, days, isLive: false, now });
}

/** Puts what an event names at Stripe, as its lists show it. */
function at(sent: SentEvent, fields: object = {}) {
  const object = { created: seconds(daysAgo(1)), ...sent.data.object, ...fields } as never;
  fake.objects.set((object as { id: string }).id, object);
}

/** Something that Stripe has sent and could not deliver, so many days ago. */
function undelivered(sent: SentEvent, days = 1) {
  const made = { ...sent, created: seconds(daysAgo(days)), pending_webhooks: 1 };
  fake.objects.set(sent.id, made);
}

async function deleteEvents() {
  await database.db.deleteFrom("stripe_events").execute();
  await database.db.updateTable("credit_lots").set({ payment_id: null }).execute();
  await database.db.deleteFrom("payments").execute();
  await database.db.deleteFrom("pending_payments").execute();
}

beforeEach(async () => {
  await deleteEvents();
  await somePacks(database.db);
});

test("both sides the same: no difference, and the totals say so", async () => {
  const userId = await ben(database.db);
  const single = singlePurchase(userId);
  const monthly = monthlyPurchase(userId, { start: daysAgo(2) });
  at(single.completed);
  at(monthly.paid(0), { status_transitions: { paid_at: seconds(daysAgo(2)) } });
  at(monthly.completed);
  await deliverEvents(database, [single.completed, monthly.completed, monthly.paid(0)], now);
  expect(await run()).toEqual({
    replayed: NOTHING,
    stripe: { payments: 2, cents: 4_399 },
    here: { payments: 2, cents: 4_399 },
    unmatched: 0,
    differences: [],
  });
});

test("undelivered events are applied in order, once", async () => {
  const userId = await ben(database.db);
  const single = singlePurchase(userId);
  const refund = single.refunded(999);
  at(single.completed);
  undelivered(refund, 1);
  undelivered(single.completed, 3);
  undelivered(singlePurchase(userId).completed, 20);
  expect(await run()).toMatchObject({
    replayed: { ...NOTHING, applied: 2 },
    here: { payments: 1 },
    differences: [],
  });
  expect(await balanceCents(database.db, userId)).toBe(0);
  const before = await everything(database.db);
  expect(await run()).toMatchObject({ replayed: { ...NOTHING, repeated: 2 }, differences: [] });
  expect(await everything(database.db)).toEqual(before);
  const asked = fake.asked.find(({ call }) => call === "GET /v1/events")!;
  expect(asked.params).toMatchObject({ types: EVENT_TYPES });
  expect(asked.params).not.toHaveProperty("delivery_success");
});

test("more than a page of events and of payments", async () => {
  const userId = await ben(database.db);
  for (let n = 0; n < 130; n += 1) {
    const { completed } = singlePurchase(userId);
    at(completed);
    undelivered(completed, 6 - n / 100);
  }
  expect(await run()).toMatchObject({
    replayed: { ...NOTHING, applied: 130 },
    stripe: { payments: 130 },
    here: { payments: 130, cents: 129_870 },
    differences: [],
  });
  const pages = fake.asked.map(({ call }) => call);
  expect(pages.filter((call) => call === "GET /v1/events")).toHaveLength(2);
  expect(pages.filter((call) => call === "GET /v1/checkout/sessions")).toHaveLength(2);
});

test("a paid checkout and a paid month that granted nothing are differences", async () => {
  const single = singlePurchase(await ben(database.db));
  const monthly = monthlyPurchase(await ben(database.db));
  at(single.completed);
  at(monthly.paid(0), { created: seconds(daysAgo(1)) });
  const { differences, stripe, here } = await run();
  expect(differences).toEqual([
    `${single.id}: 9.99 EUR at Stripe, nothing here`,
    `${monthly.invoiceId(0)}: 34.00 EUR at Stripe, nothing here`,
  ]);
  expect([stripe.payments, here.payments]).toEqual([2, 0]);
});

test("unpaid, unfinished, free, foreign or older payments are no difference", async () => {
  const userId = await ben(database.db);
  at(singlePurchase(userId).unpaid);
  at(singlePurchase(userId, { status: "open" }).completed);
  at(singlePurchase(userId, { payment_status: "no_payment_required" }).completed);
  at(singlePurchase(userId).completed, { created: seconds(daysAgo(8)) });
  const monthly = monthlyPurchase(userId);
  at(monthly.paid(0), { created: seconds(daysAgo(1)), amount_paid: 0 });
  at(monthly.paid(1), { created: seconds(daysAgo(1)), parent: null });
  at(monthly.paid(2), { created: seconds(daysAgo(1)), status: "open" });
  expect(await run()).toMatchObject({ stripe: { payments: 0 }, differences: [] });
});

test("a month that was paid long after its invoice was made counts when it was paid", async () => {
  const paid = monthlyPurchase(await ben(database.db)).paid(0);
  at(paid, {
    created: seconds(daysAgo(20)),
    status_transitions: { paid_at: seconds(daysAgo(1)) },
  });
  expect((await run()).differences).toHaveLength(1);
  at(paid, {
    created: seconds(daysAgo(20)),
    status_transitions: { paid_at: seconds(daysAgo(19)) },
  });
  expect((await run()).differences).toEqual([]);
});

test("another amount or currency is a difference", async () => {
  const [userId, one, two] = [await ben(database.db), singlePurchase(null), singlePurchase(null)];
  for (const { id } of [one, two]) {
    await deliverEvents(database, singlePurchase(userId, { id }).completed, now);
  }
  at(one.completed, { amount_total: 1_099 });
  at(two.completed, { currency: "usd" });
  expect((await run()).differences.toSorted()).toEqual(
    [
      `${one.id}: 10.99 EUR at Stripe, 9.99 EUR here`,
      `${two.id}: 9.99 USD at Stripe, 9.99 EUR here`,
    ].toSorted(),
  );
});

test("an unmatched event is reported with its reason until an admin resolves it", async () => {
  const lost = singlePurchase(null);
  at(lost.completed);
  undelivered(lost.completed);
  expect(await run()).toMatchObject({
    replayed: { ...NOTHING, unmatched: 1 },
    unmatched: 1,
    differences: [`${lost.id}: 9.99 EUR at Stripe, unmatched here: unknown-player`],
  });
  await database.db
    .updateTable("stripe_events")
    .set({ status: "resolved", payload: null })
    .where("object_id", "=", lost.id)
    .execute();
  expect(await run()).toMatchObject({ unmatched: 0, differences: [] });
});

test("a payment that Stripe does not know, or does not call paid, is a difference", async () => {
  const userId = await ben(database.db);
  const [unknown, unpaid, late] = [1, 2, 3].map(() => singlePurchase(userId));
  const monthly = monthlyPurchase(userId);
  await deliverEvents(database, [unknown!.completed, unpaid!.completed, late!.completed], now);
  await deliverEvents(database, [monthly.completed, monthly.paid(0)], now);
  at(unpaid!.unpaid);
  // Begun before these days, and paid within them.
  at(late!.completed, { created: seconds(daysAgo(12)) });
  const { differences, stripe } = await run();
  expect(differences.toSorted()).toEqual(
    [
      `${unknown!.id}: 9.99 EUR here, unknown at Stripe`,
      `${unpaid!.id}: 9.99 EUR here, unpaid at Stripe`,
      `${monthly.invoiceId(0)}: 34.00 EUR here, unknown at Stripe`,
    ].toSorted(),
  );
  expect(stripe).toEqual({ payments: 1, cents: 999 });
});

describe("a payment that was under way a day ago", () => {
  async function aPending(fields: object = {}) {
    const userId = await ben(database.db);
    const purchase = singlePurchase(userId, fields);
    await deliverEvents(database, { ...purchase.unpaid, created: seconds(daysAgo(40)) }, now);
    return { ...purchase, userId };
  }
  const statusOf = async (id: string) => {
    const row = database.db.selectFrom("pending_payments").select("status");
    return (await row.where("session_id", "=", id).executeTakeFirstOrThrow()).status;
  };
  const notified = async (userId: string) => {
    const { rowCount } = await database.pool.query(
      "select from pgboss.job where data->>'kind' = 'payment-failed' and data->>'userId' = $1",
      [userId],
    );
    return rowCount;
  };
  const intent = (status: string) => ({ payment_intent: { id: "pi_1", status } });
  const long = { created: seconds(daysAgo(40)) };

  test.each(["canceled", "requires_payment_method"])(
    "ends where Stripe says %s, and its player is notified once",
    async (status) => {
      const { id, userId, unpaid } = await aPending();
      at(unpaid, { ...long, ...intent(status) });
      expect(await run()).toMatchObject({ differences: [] });
      expect(await run()).toMatchObject({ differences: [] });
      expect([await statusOf(id), await notified(userId)]).toEqual(["Failed", 1]);
    },
  );

  test.each(["processing", "requires_action"])("waits on where Stripe says %s", async (status) => {
    const { id, unpaid } = await aPending();
    at(unpaid, { ...long, ...intent(status) });
    expect(await run()).toMatchObject({ differences: [] });
    expect(await statusOf(id)).toBe("Pending");
  });

  test("is a difference where it is paid at Stripe, however long ago, or unknown there", async () => {
    const [paid, unknown] = [await aPending(), await aPending()];
    at(paid.completed, { ...long, ...intent("succeeded") });
    const { differences } = await run();
    expect(differences).toEqual([
      `${paid.id}: 9.99 EUR at Stripe, nothing here`,
      `${unknown.id}: 9.99 EUR awaited here, unknown at Stripe`,
    ]);
    expect(await statusOf(paid.id)).toBe("Pending");
  });

  test("is ended where its credits were granted by the version before", async () => {
    const { id, unpaid, succeeded } = await aPending();
    await deliverEvents(database, succeeded, now);
    at(unpaid, { ...long, payment_status: "paid" });
    await database.pool.query("update pending_payments set status = 'Pending', ended_at = null");
    expect(await run()).toMatchObject({ differences: [] });
    expect(await statusOf(id)).toBe("Paid");
  });

  test("is not asked for before a day is over", async () => {
    const { unpaid } = singlePurchase(await ben(database.db));
    await deliverEvents(database, { ...unpaid, created: seconds(daysAgo(0.9)) }, now);
    expect(await run()).toMatchObject({ differences: [] });
  });
});

test.each([
  ["GET /v1/events", "rate-limit", "Too many requests"],
  ["GET /v1/checkout/sessions", "error", "An unknown error occurred"],
  ["GET /v1/invoices", "silence", "timeout being reached (200ms)"],
] as const)("%s: %s ends it, and what was applied stays", async (call, failure, message) => {
  fake.fail(call, failure);
  await expect(run({ timeout: 200 })).rejects.toThrow(message);
  expect((await run()).differences).toEqual([]);
});

test("the handbook names exactly the types that an endpoint has to be given", async () => {
  const handbook = await readFile(path.join(projectRoot, "docs", "operations.md"), "utf8");
  const [list = ""] = /(`[a-z_]+[.][a-z_.]+`, ){5,}`[a-z_.]+`/.exec(handbook) ?? [];
  expect(list.match(/[a-z_.]+/g)?.toSorted()).toEqual(EVENT_TYPES.toSorted());
});
