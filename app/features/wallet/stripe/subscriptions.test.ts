import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { ben, NOW } from "#test/fixtures.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { listOpenLots } from "#app/features/wallet/lots.server.ts";
import { listRunningPlans, listSubscriptions } from "./subscriptions.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

async function subscribed() {
  const userId = await ben(database.db);
  const plan = monthlyPurchase(userId);
  await deliverEvents(database, [plan.paid(0), plan.completed, plan.created]);
  return { userId, plan };
}

test("a running subscription: until when, what a month grants and costs", async () => {
  const { userId, plan } = await subscribed();
  expect(await listSubscriptions(database.db, userId)).toEqual([
    {
      id: plan.id,
      status: "active",
      isEnding: false,
      periodEnd: new Date("2026-12-21T10:00:00Z"),
      packId: expect.any(String),
      packName: "4 games a month",
      startedAt: expect.any(Date),
      month: { creditsCents: 4_000, priceCents: 3_400 },
    },
  ]);
});

test("a subscription goes on at its initial price", async () => {
  const { userId } = await subscribed();
  await database.pool.query("update credit_packs set price_eur = 99 where pack_key = 'monthly_4'");
  const [subscription] = await listSubscriptions(database.db, userId);
  expect(subscription?.month?.priceCents).toBe(3_400);
  await database.pool.query("update credit_packs set price_eur = 34 where pack_key = 'monthly_4'");
});

test("after a change of plan it is the new pack's month, at the price that renews", async () => {
  const { userId, plan } = await subscribed();
  await deliverEvents(database, plan.updated(0, { priceId: "price_monthly_12" }));
  expect(await listSubscriptions(database.db, userId)).toMatchObject([
    { packName: "12 games a month", month: { creditsCents: 12_000, priceCents: 9_000 } },
  ]);
});

test("the last ended subscription is shown only where none is active", async () => {
  const { userId, plan } = await subscribed();
  await deliverEvents(database, plan.deleted(0));
  const later = monthlyPurchase(userId, { start: new Date(NOW.getTime() + 86_400_000) });
  await deliverEvents(database, [later.paid(0), later.completed, later.created]);
  const ids = async () => (await listSubscriptions(database.db, userId)).map(({ id }) => id);
  expect(await ids()).toEqual([later.id]);
  await deliverEvents(database, later.deleted(0));
  expect(await ids()).toEqual([later.id]);
});

test("subscriptions are the player's own", async () => {
  await subscribed();
  expect(await listSubscriptions(database.db, await ben(database.db))).toEqual([]);
});

test.each([
  ["active", true],
  ["trialing", true],
  ["past_due", true],
  ["canceled", false],
  ["unpaid", false],
  ["incomplete", false],
])("a plan that is %s counts: %s", async (status, counts) => {
  const [userId, other] = [await ben(database.db), await ben(database.db)];
  const customer_id = `cus_${userId}`;
  await database.db
    .insertInto("stripe_customers")
    .values({ customer_id, user_id: userId })
    .execute();
  const plan = { id: `sub_${userId}`, customer_id, status, state_at: new Date() };
  await database.db.insertInto("subscriptions").values(plan).execute();
  expect(await listRunningPlans(database.db, userId)).toHaveLength(counts ? 1 : 0);
  expect(await listRunningPlans(database.db, other)).toEqual([]);
});

test("open lots in the order in which they are spent, empty ones and others' left out", async () => {
  const { userId } = await subscribed();
  await topUp(database.db, { userId, amountCents: 1_000, key: `lots-${userId}` });
  const grant = (amountCents: number) =>
    correctBalance(database.db, database.jobs, {
      userId,
      amountCents,
      reason: "Sorry",
      actor: "test",
      key: `${userId}:${amountCents}`,
    });
  await grant(550);
  await grant(-500);
  const lots = await listOpenLots(database.db, userId);
  expect(lots).toMatchObject([
    {
      source: "subscription",
      remainingCents: 3_500,
      expiresAt: new Date("2026-12-21T10:00:00Z"),
    },
    { source: "pack", remainingCents: 1_000, expiresAt: null },
    { source: "adjustment", remainingCents: 550, expiresAt: null },
  ]);
  expect(await listOpenLots(database.db, await ben(database.db))).toEqual([]);
});
