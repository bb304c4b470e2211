import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { deliverEvents, monthlyPurchase, PACK, singlePurchase, somePacks } from "#test/payments.ts";
import { aGame, balanceCents, ben, everything, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { readStripeEvent } from "./stripe/stripe-event.ts";
import { readSale, withoutPayer } from "./stripe/sales.server.ts";
import { listAssigned, takeBackAssignment } from "./stripe/take-back-assignment.server.ts";
import { listUnmatchedEvents, resolveUnmatchedEvent } from "./stripe/unmatched-events.server.ts";
import { findReceipt } from "./receipts.server.ts";

const database = useDatabase();
const db = () => database.db;
const actor = randomUUID();
beforeAll(() => somePacks(db()));

async function give(event: SentEvent, userId: string, key: string) {
  const profile = db().selectFrom("profiles").select("email").where("user_id", "=", userId);
  const pack = db().selectFrom("credit_packs").select("id").where("pack_key", "=", key);
  const { email } = await profile.executeTakeFirstOrThrow();
  const { id: packId } = await pack.executeTakeFirstOrThrow();
  const resolution = { kind: "assign", email, packId } as const;
  const around = { jobs: database.jobs, isLive: false, now: NOW };
  return resolveUnmatchedEvent(db(), { eventId: event.id, actor, resolution, ...around });
}
const takeBack = (assignmentId: string) =>
  takeBackAssignment(db(), { assignmentId, actor, jobs: database.jobs, now: NOW });
async function assignedTo(userId: string): Promise<string> {
  const all = await listAssigned(db(), { since: new Date(0), limit: 100 });
  return all.find(({ playerId }) => playerId === userId)!.id;
}
const isUnmatched = async (event: SentEvent) =>
  (await listUnmatchedEvents(db(), 100)).some(({ id }) => id === event.id);
const paymentOf = (objectId: string) =>
  db()
    .selectFrom("payments")
    .selectAll()
    .where("stripe_object_id", "=", objectId)
    .executeTakeFirstOrThrow();

async function aPayment(userId: string, session = {}) {
  const purchase = singlePurchase(null, session);
  await deliverEvents(database, purchase.completed);
  expect(await give(purchase.completed, userId, PACK)).toMatchObject({ isGranted: true });
  return purchase;
}

test("a payment given to the wrong player is taken back and given to the right one, with one receipt", async () => {
  const [wrong, right] = [await ben(db()), await ben(db())];
  const { id, completed } = await aPayment(wrong);
  const before = await paymentOf(id);
  expect(await takeBack(await assignedTo(wrong))).toEqual({ ok: true });
  expect([await balanceCents(db(), wrong), await isUnmatched(completed)]).toEqual([0, true]);
  expect(await findReceipt(db(), { paymentId: before.id })).toBeNull();
  await expectRightBooks(database);
  expect(await give(completed, right, PACK)).toMatchObject({ isGranted: true, playerId: right });
  expect([await balanceCents(db(), wrong), await balanceCents(db(), right)]).toEqual([0, 1_000]);
  const { id: paymentId, receipt_number: number } = before;
  const receipt = { paymentId, number, userId: right, pack: "Single game", assignments: 2 };
  expect(await findReceipt(db(), { paymentId })).toMatchObject(receipt);
  expect(await findReceipt(db(), { paymentId, userId: wrong })).toBeNull();
  await expectRightBooks(database);
});

test("the entry in the ledger says why, and the log names player, payment and credits", async () => {
  const userId = await ben(db());
  const { completed } = await aPayment(userId);
  await takeBack(await assignedTo(userId));
  const entries = db().selectFrom("wallet_transactions").select(["type", "amount_eur", "notes"]);
  expect(await entries.where("user_id", "=", userId).orderBy("seq").execute()).toEqual([
    { type: "topup", amount_eur: "10.00", notes: "Single game" },
    {
      ...{ type: "adjustment", amount_eur: "-10.00" },
      notes: "A payment of 9.99\u00a0€ was given to you by mistake",
    },
  ]);
  const log = db().selectFrom("audit_log").select(["action", "actor", "details"]);
  const logged = await log.where("subject", "=", completed.id).orderBy("id").execute();
  expect(logged[1]).toMatchObject({
    ...{ action: "payment.take-back", actor },
    details: { playerId: userId, creditsCents: 1_000, paid: { amountCents: 999 } },
  });
});

test("a second tap changes nothing more, and nor does one for what is not there", async () => {
  const userId = await ben(db());
  await aPayment(userId);
  const id = await assignedTo(userId);
  expect(await Promise.all([takeBack(id), takeBack(id)])).toEqual([{ ok: true }, { ok: true }]);
  const before = await everything(db());
  expect(await takeBack(id)).toEqual({ ok: true });
  for (const other of ["", "x", randomUUID()])
    expect(await takeBack(other)).toEqual({ ok: false, reason: "not-found" });
  expect(await everything(db())).toEqual(before);
});

test("credits that are spent are not taken back from others", async () => {
  const userId = await ben(db());
  await aPayment(userId);
  await aPayment(userId);
  const [gameId, id] = [await aGame(db()), await assignedTo(userId)];
  expect(await joinGame(db(), database.jobs, { gameId, playerId: userId, now: NOW })).toMatchObject(
    { ok: true },
  );
  const all = await listAssigned(db(), { since: new Date(0), limit: 100 });
  const own = all.filter(({ playerId }) => playerId === userId).map((each) => each.id);
  const results = await Promise.all(own.map(takeBack));
  const spent = { ok: false, reason: "spent", creditsCents: 1_000, leftCents: 0 };
  expect(results).toContainEqual(spent);
  expect(results).toContainEqual({ ok: true });
  expect(own).toContain(id);
  expect(await balanceCents(db(), userId)).toBe(0);
  await expectRightBooks(database);
});

test("a payment whose money went back is not taken back", async () => {
  const userId = await ben(db());
  const { refunded } = await aPayment(userId);
  await deliverEvents(database, refunded(100));
  expect(await takeBack(await assignedTo(userId))).toEqual({ ok: false, reason: "moved" });
});

test("a refund that comes while it has no player takes no credits from the first player", async () => {
  const userId = await ben(db());
  const { completed, refunded } = await aPayment(userId);
  await takeBack(await assignedTo(userId));
  const refund = refunded(999);
  await deliverEvents(database, refund);
  expect(await isUnmatched(refund)).toBe(true);
  const right = await ben(db());
  await give(completed, right, PACK);
  expect(await isUnmatched(refund)).toBe(false);
  expect([await balanceCents(db(), userId), await balanceCents(db(), right)]).toEqual([0, 0]);
  await expectRightBooks(database);
});

test("a month is taken back with its customer, unless another month has come by it", async () => {
  const [wrong, right] = [await ben(db()), await ben(db())];
  const story = monthlyPurchase(null);
  const invoice = story.paid(0);
  await deliverEvents(database, invoice);
  await give(invoice, wrong, "monthly_4");
  const id = await assignedTo(wrong);
  expect(await takeBack(id)).toEqual({ ok: true });
  await give(invoice, right, "monthly_4");
  await deliverEvents(database, story.paid(1));
  expect([await balanceCents(db(), wrong), await balanceCents(db(), right)]).toEqual([0, 4_000]);
  expect(await takeBack(await assignedTo(right))).toMatchObject({ ok: false, reason: "renewed" });
  await expectRightBooks(database);
});

test("what is kept of the event says what was paid, and not who paid", () => {
  const details = { email: "payer@uni.example", name: "Payer" };
  const { completed } = singlePurchase(randomUUID(), { customer_email: details.email });
  const single = { ...completed, data: { object: { ...completed.data.object, details } } };
  for (const event of [single, monthlyPurchase(null).paid(0), monthlyPurchase(null).completed]) {
    const kept = withoutPayer(event);
    expect(readSale(kept)).toEqual(readSale(event));
    expect(readStripeEvent(kept)).toEqual(readStripeEvent(event));
    expect(JSON.stringify(kept)).not.toMatch(/payer/i);
  }
});
