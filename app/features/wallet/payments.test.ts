import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { ada, ben } from "#test/fixtures.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { findArrival } from "./payments.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

// The database dates payments by its own clock, so that events come now as well.
const hear = (...events: SentEvent[]) => deliverEvents(database, events, new Date());
const arrivalOf = (userId: string, sessionId: string) =>
  findArrival(database.db, { userId, sessionId });
const sessionOf = ({ completed }: { completed: SentEvent }) =>
  (completed.data.object as { id: string }).id;

describe("a single pack", () => {
  test("waits for its event, then its credits are there", async () => {
    const userId = await ada(database.db);
    const purchase = singlePurchase(userId);
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "waiting" });
    await hear(purchase.completed);
    expect(await arrivalOf(userId, purchase.id)).toEqual({
      state: "arrived",
      paymentId: expect.any(String),
      creditsCents: 1_000,
      balanceCents: 11_000,
    });
  });

  test("can be confirmed by the bank later", async () => {
    const userId = await ben(database.db);
    const purchase = singlePurchase(userId);
    await hear(purchase.unpaid);
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "unconfirmed" });
    await hear(purchase.succeeded);
    expect(await arrivalOf(userId, purchase.id)).toMatchObject({ state: "arrived" });
  });

  test("can be declined by the bank", async () => {
    const userId = await ben(database.db);
    const purchase = singlePurchase(userId);
    await hear(purchase.unpaid, purchase.failed);
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "failed" });
  });

  test.each([
    ["of a wrong amount", { amount_total: 500 }],
    ["by an unknown link", { payment_link: "plink_unknown" }],
    ["without a player", { client_reference_id: null }],
    ["of somebody who is nobody", { client_reference_id: "somebody" }],
  ])("unmatched: %s", async (_, session) => {
    const userId = await ben(database.db);
    const purchase = singlePurchase(userId, session);
    await hear(purchase.completed);
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "unmatched" });
  });

  test("is settled where an admin resolved it another way", async () => {
    const userId = await ben(database.db);
    const purchase = singlePurchase(userId, { amount_total: 500 });
    await hear(purchase.completed);
    await database.pool.query(
      "update stripe_events set status = 'resolved', payload = null where object_id = $1",
      [purchase.id],
    );
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "settled" });
  });
});

describe("a subscription", () => {
  const AWKWARD = ["paid", "created", "completed"] as const;
  test.each([
    [AWKWARD],
    [["completed", "created", "paid"]],
    [["created", "completed", "paid"]],
  ] as const)("%j: its first month arrives", async (order) => {
    const userId = await ben(database.db);
    const plan = monthlyPurchase(userId, { start: new Date() });
    const events = { paid: plan.paid(0), created: plan.created, completed: plan.completed };
    const sessionId = sessionOf(plan);
    for (const name of order) {
      expect(await arrivalOf(userId, sessionId)).toEqual({ state: "waiting" });
      await hear(events[name]);
    }
    const arrived = { state: "arrived", creditsCents: 4_000, balanceCents: 4_000 };
    expect(await arrivalOf(userId, sessionId)).toMatchObject(arrived);
  });

  test("a renewal is no purchase of a single pack that the bank has yet to confirm", async () => {
    const userId = await ben(database.db);
    const plan = monthlyPurchase(userId, { start: new Date() });
    await hear(plan.paid(0), plan.completed, plan.created);
    await database.pool.query(
      `with aged as (update payments set created_at = created_at - interval '1 month'
         where user_id = $1)
       update stripe_customers set created_at = created_at - interval '1 month'
       where user_id = $1`,
      [userId],
    );
    await database.pool.query(
      "update subscriptions set state_at = state_at - interval '1 month' where id = $1",
      [plan.id],
    );
    const purchase = singlePurchase(userId);
    await hear(purchase.unpaid, plan.paid(1));
    expect(await arrivalOf(userId, purchase.id)).toEqual({ state: "unconfirmed" });
  });
});

test("a month with an unmatched invoice is being matched by hand", async () => {
  const userId = await ben(database.db);
  const plan = monthlyPurchase(userId, { start: new Date() });
  await hear(plan.completed);
  expect(await arrivalOf(userId, sessionOf(plan))).toEqual({ state: "waiting" });
  await hear(plan.paid(0, { amount_paid: 1 }));
  expect(await arrivalOf(userId, sessionOf(plan))).toEqual({ state: "unmatched" });
});

describe("another's session", () => {
  test.each(["completed", "unmatched"] as const)("%s: reveals nothing", async (what) => {
    const [userId, other] = [await ada(database.db), await ben(database.db)];
    const purchase = singlePurchase(userId, what === "unmatched" ? { amount_total: 1 } : {});
    await hear(purchase.completed);
    expect(await arrivalOf(other, purchase.id)).toEqual({ state: "waiting" });
  });

  test("reveals no pending or failed bank confirmation", async () => {
    const [userId, other] = [await ada(database.db), await ben(database.db)];
    const { id, unpaid, failed } = singlePurchase(userId);
    for (const event of [unpaid, failed]) {
      await hear(event);
      expect(await arrivalOf(other, id)).toEqual({ state: "waiting" });
    }
  });

  test("of a month: reveals nothing of its credits", async () => {
    const [userId, other] = [await ada(database.db), await ben(database.db)];
    const plan = monthlyPurchase(userId, { start: new Date() });
    await hear(plan.paid(0), plan.completed);
    expect(await arrivalOf(other, sessionOf(plan))).not.toHaveProperty("creditsCents");
  });
});
