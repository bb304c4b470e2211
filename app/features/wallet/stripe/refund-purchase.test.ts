import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutLocks, withoutPersonLock } from "#test/disable-locks.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { aGame, balanceCents, ben, NOW } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { deliverEvents, somePacks } from "#test/payments.ts";
import { aBuyer, withdraw } from "#test/withdrawals.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { stripeId } from "#app/routes/demo/stripe-objects.ts";
import { reconcileRefunds } from "./reconcile-refunds.server.ts";
import { listPurchasesOf, refundPurchase } from "./refund-purchase.server.ts";

const database = useDatabase(12);
const fake = useFakeStripe();
const db = () => database.db;
let actor: string;
beforeAll(async () => {
  await somePacks(db());
  actor = await ben(db());
});

const client = () =>
  openStripe("sk_test_1", { ...fake.options, timeout: 2_000, maxNetworkRetries: 0 });
type Buyer = Awaited<ReturnType<typeof aPurchase>>;

/** 10 credits for 9.99 €, known to Stripe too. */
async function aPurchase(next = "succeeded") {
  const buyer = await aBuyer(database);
  const id = stripeId("pi", buyer.pack.id);
  const paid = { amount_received: 999, currency: "eur", next_refund: next };
  fake.objects.set(id, { id, object: "payment_intent", created: 1, ...paid });
  return { ...buyer, intent: id };
}

interface Asking {
  cents: number;
  refundId?: string;
  confirmed?: string;
  on?: Db;
  stripe?: ReturnType<typeof client>;
}
const ask = ({ userId, paymentId }: Buyer, { cents, refundId = randomUUID(), ...how }: Asking) =>
  refundPurchase(how.on ?? db(), {
    ...{ stripe: how.stripe ?? client(), refundId, actor, now: NOW, confirmed: how.confirmed },
    ...{ playerId: userId, paymentId, amountCents: cents },
  });

async function agreedKey(buyer: Buyer, cents: number) {
  const asked = await ask(buyer, { cents });
  if (asked.ok || asked.reason !== "unconfirmed") throw new Error(JSON.stringify(asked));
  return asked.key;
}
/** As an organiser who reads the question and says yes. */
const refund = async (buyer: Buyer, cents: number) =>
  ask(buyer, { cents, confirmed: await agreedKey(buyer, cents) });

const refundsAtStripe = ({ intent }: Buyer) =>
  [...fake.objects.values()].filter((it) => it.object === "refund" && it.payment_intent === intent);
const sumAtStripe = (buyer: Buyer) =>
  refundsAtStripe(buyer).reduce((sum, { amount }) => sum + Number(amount), 0);
/** Stripe's event has the whole sum so far. */
const report = (buyer: Buyer) => deliverEvents(database, buyer.pack.refunded(sumAtStripe(buyer)));
const purchaseOf = async ({ userId }: Buyer) => (await listPurchasesOf(db(), userId))[0]!;

test("nothing moves before the question is answered, which says what the credits become", async () => {
  const buyer = await aPurchase();
  expect(await ask(buyer, { cents: 500 })).toMatchObject({
    ...{ ok: false, reason: "unconfirmed", amountCents: 500 },
    ...{ balanceCents: 1_000, takenCents: 500, debtCents: 0 },
  });
  expect(refundsAtStripe(buyer)).toEqual([]);
  const confirmed = await agreedKey(buyer, 500);
  // The yes was to another amount.
  expect(await ask(buyer, { cents: 501, confirmed })).toMatchObject({ reason: "unconfirmed" });
  expect(await ask(buyer, { cents: 500, confirmed })).toEqual({
    ...{ ok: true, status: "succeeded", amountCents: 500 },
  });
  await report(buyer);
  expect(await balanceCents(db(), buyer.userId)).toBe(500);
  expect(await purchaseOf(buyer)).toMatchObject({ refundedCents: 500, leftCents: 499 });
  const log = db().selectFrom("audit_log").select("details").where("subject", "=", buyer.paymentId);
  expect((await log.execute()).map(({ details }) => details)).toEqual([
    expect.objectContaining({
      playerId: buyer.userId,
      paid: { amountCents: 500, currency: "eur" },
      credits: { takenCents: 500, debtCents: 0 },
    }),
  ]);
  await expectRightBooks(database);
});

test("credits that are spent already are owed, and the booking stays", async () => {
  const buyer = await aPurchase();
  const gameId = await aGame(db());
  await joinGame(db(), database.jobs, { gameId, playerId: buyer.userId, now: NOW });
  const question = { balanceCents: 0, takenCents: 0, debtCents: 1_000 };
  expect(await ask(buyer, { cents: 999 })).toMatchObject({ reason: "unconfirmed", ...question });
  expect(await refund(buyer, 999)).toMatchObject({ ok: true });
  await report(buyer);
  const booking = db()
    .selectFrom("bookings")
    .select("payment_status")
    .where("game_id", "=", gameId);
  expect(await booking.execute()).toEqual([{ payment_status: "Paid" }]);
  expect(await balanceCents(db(), buyer.userId)).toBe(0);
  await expectRightBooks(database);
});

test("what was spent since the question was read is asked about again", async () => {
  const buyer = await aPurchase();
  const confirmed = await agreedKey(buyer, 999);
  const gameId = await aGame(db());
  await joinGame(db(), database.jobs, { gameId, playerId: buyer.userId, now: NOW });
  expect(await ask(buyer, { cents: 999, confirmed })).toMatchObject({
    ...{ reason: "unconfirmed", debtCents: 1_000 },
  });
  expect(refundsAtStripe(buyer)).toEqual([]);
});

test("a form that is sent twice refunds once, and refunds nothing else", async () => {
  const [buyer, other] = [await aPurchase(), await aPurchase()];
  const refundId = randomUUID();
  const confirmed = await agreedKey(buyer, 500);
  const form = { cents: 500, refundId, confirmed };
  const done = { ok: true, status: "succeeded", amountCents: 500 };
  expect([await ask(buyer, form), await ask(buyer, form)]).toEqual([done, done]);
  const used = { ok: false, reason: "form-used", usedCents: 500 };
  expect(await ask(buyer, { ...form, cents: 400 })).toEqual(used);
  expect(await ask(other, { ...form, confirmed: await agreedKey(other, 500) })).toEqual(used);
  expect([refundsAtStripe(buyer).length, refundsAtStripe(other).length]).toEqual([1, 0]);
});

test("another player's purchase, more than was paid and what a withdrawal waits for are rejected", async () => {
  const [buyer, other] = [await aPurchase(), await aPurchase()];
  expect(await ask({ ...buyer, userId: other.userId }, { cents: 1 })).toMatchObject({
    reason: "gone",
  });
  for (const cents of [0, 1_000])
    expect(await ask(buyer, { cents })).toMatchObject({ ok: false, reason: "too-much" });
  const confirmed = await agreedKey(buyer, 999);
  await withdraw(database, buyer);
  expect(await ask(buyer, { cents: 999, confirmed })).toMatchObject({ reason: "withdrawal" });
  expect(refundsAtStripe(buyer)).toEqual([]);
});

test("where Stripe's answer is missing the purchase says so, and is refunded once when asked again", async () => {
  const buyer = await aPurchase();
  fake.fail("POST /v1/refunds", "error");
  expect(await refund(buyer, 500)).toEqual({ ok: false, reason: "unknown" });
  const { unanswered, leftCents } = await purchaseOf(buyer);
  expect([unanswered, leftCents]).toEqual([[{ refundId: expect.any(String), cents: 500 }], 499]);
  fake.expireKeys();
  const { refundId } = unanswered[0]!;
  expect(await ask(buyer, { cents: 500, refundId })).toMatchObject({
    ok: true,
    status: "succeeded",
  });
  expect(sumAtStripe(buyer)).toBe(500);
});

test("a refund under way ends as Stripe says, and one that Stripe never got can be asked for again", async () => {
  const [pending, lost, unsent] = [
    await aPurchase("pending"),
    await aPurchase(),
    await aPurchase(),
  ];
  await refund(pending, 999);
  fake.fail("POST /v1/refunds", "lost");
  await refund(lost, 999);
  fake.fail("POST /v1/refunds", "error");
  await refund(unsent, 999);
  for (const made of refundsAtStripe(pending)) made.status = "succeeded";
  const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  // A button may still wait for Stripe.
  await reconcileRefunds(db(), client(), after(5));
  expect((await purchaseOf(unsent)).leftCents).toBe(0);
  await reconcileRefunds(db(), client(), after(61));
  const statuses = db()
    .selectFrom("refunds")
    .select("status")
    .where("user_id", "in", [...[pending.userId, lost.userId, unsent.userId]]);
  expect(
    (await statuses.orderBy("asked_at").execute()).map(({ status }) => status).toSorted(),
  ).toEqual(["failed", "succeeded", "succeeded"]);
  expect((await purchaseOf(unsent)).leftCents).toBe(999);
  expect([sumAtStripe(pending), sumAtStripe(lost), sumAtStripe(unsent)]).toEqual([999, 999, 0]);
});

/** Two organisers who have both read the same question, at the same moment. */
async function race(on: Db, amounts: [number, number]) {
  const buyer = await aPurchase();
  const keys = [await agreedKey(buyer, amounts[0]), await agreedKey(buyer, amounts[1])];
  const results = await Promise.all(
    amounts.map((cents, n) => ask(buyer, { cents, confirmed: keys[n]!, on })),
  );
  const asked = db().selectFrom("refunds").select("amount").where("user_id", "=", buyer.userId);
  return { buyer, results, asked: (await asked.execute()).length };
}

test("of two organisers who refund at once, with any amounts, one does", async () => {
  for (const amounts of [
    [600, 700],
    [600, 600],
    [999, 1],
  ] as [number, number][]) {
    const { buyer, results, asked } = await race(db(), amounts);
    expect([asked, refundsAtStripe(buyer).length]).toEqual([1, 1]);
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    await report(buyer);
  }
  await expectRightBooks(database);
});

test("without the locks two organisers at once ask Stripe for more than was paid", async () => {
  const unguarded = db().withPlugin(withoutPersonLock).withPlugin(withoutLocks);
  let asked = 0;
  for (let n = 0; n < 200 && asked < 2; n += 1) ({ asked } = await race(unguarded, [600, 700]));
  expect(asked).toBe(2);
});

interface Step {
  do: "refund" | "twice" | "report" | "play" | "lose" | "reconcile";
  cents: number;
}

const STEPS: Record<Step["do"], (buyer: Buyer, cents: number) => Promise<unknown>> = {
  refund: (buyer, cents) => refundAgreed(buyer, cents, 1),
  twice: (buyer, cents) => refundAgreed(buyer, cents, 2),
  report: async (buyer) => sumAtStripe(buyer) > 0 && report(buyer),
  play: async ({ userId: playerId }) =>
    joinGame(db(), database.jobs, { gameId: await aGame(db()), playerId, now: NOW }),
  lose: async () => fake.fail("POST /v1/refunds", "lost"),
  reconcile: () => reconcileRefunds(db(), client(), NOW),
};

/** Answers by how many refunds Stripe has more. */
async function refundAgreed(buyer: Buyer, cents: number, times: number): Promise<number> {
  const asked = await ask(buyer, { cents });
  const confirmed = !asked.ok && asked.reason === "unconfirmed" ? asked.key : "";
  const before = refundsAtStripe(buyer).length;
  const form = { cents, refundId: randomUUID(), confirmed };
  await Promise.all(Array.from({ length: times }, () => ask(buyer, form)));
  return refundsAtStripe(buyer).length - before;
}

test("never more is refunded than was paid, nor more credits are taken than there are", async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constantFrom("refund" as const, "twice" as const),
      cents: fc.integer({ min: 1, max: 1_100 }),
    }),
    fc.record({
      do: fc.constantFrom(
        "report" as const,
        "play" as const,
        "lose" as const,
        "reconcile" as const,
      ),
      cents: fc.constant(0),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const buyer = await aPurchase();
      for (const { do: what, cents } of steps) {
        const before = refundsAtStripe(buyer).length;
        await STEPS[what](buyer, cents);
        expect(refundsAtStripe(buyer).length - before).toBeLessThanOrEqual(1);
        expect(sumAtStripe(buyer)).toBeLessThanOrEqual(999);
        expect(await balanceCents(db(), buyer.userId)).toBeGreaterThanOrEqual(0);
      }
      await STEPS.report(buyer, 0);
      const payment = db().selectFrom("payments").where("id", "=", buyer.paymentId);
      const { taken } = await payment.select("taken_back_eur as taken").executeTakeFirstOrThrow();
      // In proportion to what went back, and never more than was granted.
      expect(Number(taken)).toBe(Math.floor((1_000 * sumAtStripe(buyer)) / 999) / 100);
    }),
    { numRuns: isLong ? 200 : 8 },
  );
  await expectRightBooks(database);
});

test("a question that two organisers read is answered once, also after a refund from elsewhere", async () => {
  const buyer = await aPurchase();
  await deliverEvents(database, buyer.pack.refunded(500));
  const key = await agreedKey(buyer, 200);
  expect(await ask(buyer, { cents: 200, confirmed: key })).toMatchObject({ ok: true });
  expect(await ask(buyer, { cents: 200, confirmed: key })).toMatchObject({
    ...{ ok: false, reason: "unconfirmed", requestedCents: 200 },
  });
  expect(sumAtStripe(buyer)).toBe(200);
});
