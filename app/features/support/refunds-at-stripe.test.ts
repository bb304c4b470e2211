import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { deliverEvents, singlePurchase, somePacks } from "#test/payments.ts";
import { balanceCents, ben, NOW } from "#test/fixtures.ts";
import { aBuyer, withdraw } from "#test/withdrawals.ts";
import {
  listUnmatchedEvents,
  refundUnmatched,
} from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { event, stripeId } from "#app/routes/demo/stripe-objects.ts";
import { refundWithdrawal } from "./refund-withdrawal.server.ts";

const database = useDatabase();
const fake = useFakeStripe();
const db = () => database.db;
let actor: string;
beforeAll(async () => {
  await somePacks(db());
  actor = await ben(db());
});

const client = (key = "sk_test_1") =>
  openStripe(key, { ...fake.options, timeout: 2_000, maxNetworkRetries: 0 });

/** The payment of a session, as Stripe has it; `next` is how its next refund begins. */
function intentOf(sessionId: string, next = "succeeded", currency = "eur") {
  const id = stripeId("pi", sessionId);
  const paid = { amount_received: 999, currency, next_refund: next };
  fake.objects.set(id, { id, object: "payment_intent", created: 1, ...paid });
  return id;
}
const refundsAtStripe = () => [...fake.objects.values()].filter((it) => it.object === "refund");
const stored = (intent: string) =>
  db()
    .selectFrom("refunds")
    .select(["status", "stripe_refund_id"])
    .where("payment_intent_id", "=", intent)
    .execute();

async function aWithdrawal() {
  const { userId, pack, paymentId } = await aBuyer(database);
  await withdraw(database, { userId, paymentId });
  const ticket = db().selectFrom("support_messages").select("id").where("user_id", "=", userId);
  return { userId, pack, ticketId: (await ticket.executeTakeFirstOrThrow()).id };
}
const refund = (ticketId: string, { refundId = randomUUID(), stripe = client() } = {}) =>
  refundWithdrawal(db(), { stripe, ticketId, refundId, actor, now: NOW });

async function anUnmatched(session = {}) {
  const purchase = singlePurchase(null, session);
  await deliverEvents(database, purchase.completed);
  return purchase;
}
const around = () => ({ actor, jobs: database.jobs, isLive: false, now: NOW });
const refundEvent = (eventId: string, { refundId = randomUUID(), stripe = client() } = {}) =>
  refundUnmatched(db(), { stripe, refundId, eventId, ...around() });
const isUnmatched = async (id: string) =>
  (await listUnmatchedEvents(db(), 100)).some((each) => each.id === id);

test("a withdrawal is refunded by Stripe once, as its description asks, and noted", async () => {
  const { userId, pack, ticketId } = await aWithdrawal();
  const intent = intentOf(pack.id);
  const refundId = randomUUID();
  const done = { ok: true, status: "succeeded", refundCents: 999 };
  expect(await refund(ticketId, { refundId })).toEqual(done);
  const asked = fake.asked.find(({ call }) => call === "POST /v1/refunds")!;
  expect([asked.idempotencyKey, asked.params]).toEqual([
    `refund:${refundId}`,
    {
      ...{ payment_intent: intent, amount: "999", reason: "requested_by_customer" },
      metadata: { refund: refundId },
    },
  ]);
  expect(await refund(ticketId)).toMatchObject({ ok: false, reason: "ended" });
  expect(refundsAtStripe()).toHaveLength(1);
  await deliverEvents(database, pack.refunded(999));
  expect(await balanceCents(db(), userId)).toBe(0);
  await expectRightBooks(database);
});

test.each(["lost", "reset", "error", "rate-limit"] as const)(
  "where Stripe's answer is missing (%s) the next try, by another form, is the same refund",
  async (failure) => {
    const { pack, ticketId } = await aWithdrawal();
    const intent = intentOf(pack.id);
    fake.fail("POST /v1/refunds", failure);
    await refund(ticketId);
    // As a day later.
    fake.expireKeys();
    await refund(ticketId);
    expect(refundsAtStripe()).toHaveLength(1);
    expect(await stored(intent)).toMatchObject([{ status: "succeeded" }]);
  },
);

test("no answer at all is said as such, and nothing is noted as refunded", async () => {
  const { pack, ticketId } = await aWithdrawal();
  const intent = intentOf(pack.id);
  fake.fail("POST /v1/refunds", "error");
  expect(await refund(ticketId)).toEqual({ ok: false, reason: "unknown" });
  expect(await stored(intent)).toEqual([{ status: "asked", stripe_refund_id: null }]);
});

test("two who press at once refund once", async () => {
  const { pack, ticketId } = await aWithdrawal();
  const intent = intentOf(pack.id);
  await Promise.all([refund(ticketId), refund(ticketId)]);
  expect(refundsAtStripe()).toHaveLength(1);
  expect(await stored(intent)).toHaveLength(1);
});

test("a refund that Stripe rejects moves nothing, and can be asked for again", async () => {
  const { pack, ticketId } = await aWithdrawal();
  expect(await refund(ticketId)).toEqual({ ok: false, reason: "rejected" });
  const other = client("xx_no_key");
  expect(await refund(ticketId, { stripe: other })).toEqual({ ok: false, reason: "key" });
  intentOf(pack.id);
  expect(await refund(ticketId)).toMatchObject({ ok: true });
});

test("one that is pending counts as made, and a failure later is known", async () => {
  const { pack, ticketId } = await aWithdrawal();
  const intent = intentOf(pack.id, "pending");
  expect(await refund(ticketId)).toMatchObject({ ok: true, status: "pending" });
  const [{ stripe_refund_id: id } = { stripe_refund_id: null }] = await stored(intent);
  const failed = event("refund.failed", { id, object: "refund", status: "failed" });
  await deliverEvents(database, failed);
  expect(await stored(intent)).toEqual([{ status: "failed", stripe_refund_id: id }]);
  expect(await isUnmatched(failed.id)).toBe(true);
});

test("an unmatched payment is refunded in its currency and leaves the list, and its event waits for nobody", async () => {
  for (const currency of ["eur", "jpy"]) {
    const purchase = await anUnmatched({ currency });
    intentOf(purchase.id, "succeeded", currency);
    const done = { ok: true, status: "succeeded", amount: 999, currency };
    expect(await refundEvent(purchase.completed.id)).toEqual(done);
    expect(await isUnmatched(purchase.completed.id)).toBe(false);
    const back = purchase.refunded(999);
    expect(await deliverEvents(database, back)).toEqual(["applied"]);
    expect(await isUnmatched(back.id)).toBe(false);
  }
  const log = db().selectFrom("audit_log").select("details").where("action", "=", "payment.refund");
  expect((await log.execute()).map(({ details }) => details)).toContainEqual(
    expect.objectContaining({ paid: { amountCents: 999, currency: "jpy" }, playerId: null }),
  );
  await expectRightBooks(database);
});

test("what is settled already, of nothing or of the other mode is not refunded", async () => {
  const free = await anUnmatched({ amount_total: 0 });
  const live = { ...singlePurchase(null).completed, livemode: true };
  await deliverEvents(database, live);
  for (const id of [free.completed.id, live.id, "evt_none"])
    expect(await refundEvent(id)).toEqual({ ok: false, reason: "already-settled" });
  expect(fake.asked).toEqual([]);
});
