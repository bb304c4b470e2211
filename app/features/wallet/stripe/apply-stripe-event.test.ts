import { beforeAll, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  lotsOf,
  monthlyPurchase,
  PACK,
  unmatchedEvents,
  singlePurchase,
  somePacks,
  deliverEvents,
} from "#test/payments.ts";
import { balanceCents, ben, everything, markDeleted, NOW } from "#test/fixtures.ts";
import { log } from "#app/platform/log.server.ts";
import { customer, event, invoice } from "#app/routes/demo/stripe-objects.ts";
import { applyStripeEvent } from "./apply-stripe-event.server.ts";

/* A single pack, bought by a payment link. */
const database = useDatabase();
const db = () => database.db;
beforeAll(() => somePacks(db()));
const credits = async (userId: string) => (await balanceCents(db(), userId)) / 100;

test("a payment is granted once, however often and by whichever event it is reported", async () => {
  const userId = await ben(db());
  const { completed, succeeded } = singlePurchase(userId);
  expect(await deliverEvents(database, [completed, completed, succeeded, completed])).toEqual([
    "applied",
    "repeated",
    "applied",
    "repeated",
  ]);
  expect(await credits(userId)).toBe(10);
  expect(await lotsOf(db(), userId)).toEqual([
    { source: "pack", remaining_eur: "10.00", expires_at: null },
  ]);
});

test("an unpaid checkout grants nothing until it is paid", async () => {
  const userId = await ben(db());
  const late = singlePurchase(userId);
  await deliverEvents(database, late.unpaid);
  expect(await credits(userId)).toBe(0);
  await deliverEvents(database, late.succeeded);
  expect(await credits(userId)).toBe(10);
  const failed = singlePurchase(userId);
  await deliverEvents(database, [failed.unpaid, failed.failed]);
  expect(await credits(userId)).toBe(10);
  expect(await unmatchedEvents(db())).toEqual([]);
});

test("the payment event may come before the checkout event", async () => {
  const userId = await ben(db());
  const { succeeded, unpaid } = singlePurchase(userId);
  await deliverEvents(database, [succeeded, unpaid]);
  expect(await credits(userId)).toBe(10);
});

test.each([
  ["another amount", { amount_total: 998 }, "wrong-amount"],
  ["another currency", { currency: "sek" }, "wrong-amount"],
  ["nothing to pay", { amount_total: 0, payment_status: "no_payment_required" }, "wrong-amount"],
  ["an unknown link", { payment_link: "plink_other" }, "unknown-pack"],
  ["no link", { payment_link: null }, "unknown-pack"],
  ["a monthly pack's link", { payment_link: "plink_monthly_4" }, "unknown-pack"],
  ["without a player", { client_reference_id: null }, "unknown-player"],
  ["somebody unknown's", { client_reference_id: crypto.randomUUID() }, "unknown-player"],
  ["an id that is none", { client_reference_id: "' or true --" }, "unknown-player"],
  ["without an id", { id: "" }, "unreadable"],
  ["of another shape", { amount_total: "999" as never }, "unreadable"],
] as const)("is unmatched with its reason: %s", async (_, fields, reason) => {
  const userId = await ben(db());
  const { completed } = singlePurchase(userId, fields);
  expect(await deliverEvents(database, completed)).toEqual(["unmatched"]);
  expect(await unmatchedEvents(db())).toContainEqual({ id: completed.id, reason, waits_for: [] });
  expect(await credits(userId)).toBe(0);
});

test("an unmatched event that is sent again stays unmatched, and is mailed once", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { completed } = singlePurchase(await ben(db()), { client_reference_id: null });
  for (let n = 0; n < 3; n += 1)
    expect(await deliverEvents(database, completed)).toEqual(["unmatched"]);
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ event: completed.id }),
    "payment unmatched",
  );
  warned.mockRestore();
});

test("a payment for a deleted account waits for an admin", async () => {
  const userId = await ben(db());
  const { unpaid, succeeded } = singlePurchase(userId);
  await deliverEvents(database, unpaid);
  await markDeleted(db(), userId);
  expect(await deliverEvents(database, succeeded)).toEqual(["unmatched"]);
  expect(await unmatchedEvents(db())).toContainEqual({
    id: succeeded.id,
    reason: "unknown-player",
    waits_for: [],
  });
  expect(await credits(userId)).toBe(0);
});

test("an event of the other mode, live or test, stays unmatched", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(userId);
  const { jobs } = database;
  const live = { ...completed, livemode: true };
  expect(await applyStripeEvent(db(), live, { jobs, isLive: false, now: NOW })).toBe("unmatched");
  const test = singlePurchase(userId).completed;
  expect(await applyStripeEvent(db(), test, { jobs, isLive: true, now: NOW })).toBe("unmatched");
  expect(await credits(userId)).toBe(0);
});

test("an unmatched event that is sent again after its cause is fixed is applied", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(userId, { payment_link: "plink_new" });
  await deliverEvents(database, completed);
  const pack = db().updateTable("credit_packs").where("pack_key", "=", PACK);
  await pack.set({ stripe_payment_link_id: "plink_new" }).execute();
  expect(await deliverEvents(database, [completed, completed])).toEqual(["applied", "repeated"]);
  await pack.set({ stripe_payment_link_id: `plink_${PACK}` }).execute();
  expect(await credits(userId)).toBe(10);
});

// Stripe's newer accounts are customers without an id of one.
const ACCOUNT = { customer: null, customer_account: "acct_1" };

test.each([
  ["an account", ACCOUNT],
  ["a customer, without lines", { lines: { object: "list", data: [], has_more: false } }],
  ["an account, without lines", { ...ACCOUNT, lines: null }],
  ["an account, in an older API's shape", { ...ACCOUNT, parent: undefined, subscription: null }],
])("an invoice of %s that is of no subscription is ignored", async (_, fields) => {
  const sold = { ...invoice({ priceId: "price_1", subscriptionId: "sub_1" }), parent: null };
  expect(await deliverEvents(database, event("invoice.paid", { ...sold, ...fields }))).toEqual([
    "ignored",
  ]);
});

test("what an account subscribes to waits for an admin, with the customer as its reason", async () => {
  const plan = monthlyPurchase(await ben(db()));
  const sent = [plan.paid(0), plan.created, plan.updated(1), plan.deleted(1), plan.completed];
  for (const { type, data } of sent) {
    const ofAccount = event(type, { ...data.object, ...ACCOUNT });
    expect(await deliverEvents(database, ofAccount)).toEqual(["unmatched"]);
    const { id } = ofAccount;
    expect(await unmatchedEvents(db())).toContainEqual({
      id,
      reason: "no-customer",
      waits_for: [],
    });
  }
  const subscriptions = db().selectFrom("subscriptions").where("id", "=", plan.id);
  expect(await subscriptions.selectAll().execute()).toEqual([]);
});

test("an ignored event changes only the event log", async () => {
  const before = await everything(db());
  expect(await deliverEvents(database, event("customer.updated", customer()))).toEqual(["ignored"]);
  expect(await everything(db())).toEqual(before);
});
