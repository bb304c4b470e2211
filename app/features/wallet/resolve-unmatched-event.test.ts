import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, PACK, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { balanceCents, ben, everything, NOW } from "#test/fixtures.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import {
  type Assignment,
  listUnmatchedEvents,
  type Resolution,
  resolveUnmatchedEvent,
} from "#app/features/wallet/stripe/unmatched-events.server.ts";

const database = useDatabase();
const db = () => database.db;
const actor = randomUUID();
const circumstances = () => ({ jobs: database.jobs, isLive: false, now: NOW });
beforeAll(() => somePacks(db()));

const resolve = (event: SentEvent, resolution: Resolution) =>
  resolveUnmatchedEvent(db(), { eventId: event.id, actor, resolution, ...circumstances() });
const assign = async (userId: string, key: string | null): Promise<Assignment> => ({
  kind: "assign",
  email: await emailOf(userId),
  packId: key && (await packId(key)),
});
const isUnmatched = async (event: SentEvent) =>
  (await listUnmatchedEvents(db(), 100)).some(({ id }) => id === event.id);
const entries = (event: SentEvent) =>
  db()
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", event.id)
    .execute();

async function emailOf(userId: string): Promise<string> {
  const profile = db().selectFrom("profiles").select("email").where("user_id", "=", userId);
  return (await profile.executeTakeFirstOrThrow()).email;
}
async function packId(key: string): Promise<string> {
  const pack = db().selectFrom("credit_packs").select("id").where("pack_key", "=", key);
  return (await pack.executeTakeFirstOrThrow()).id;
}

test("the list describes the event and suggests the player", async () => {
  const userId = await ben(db());
  const { completed, id } = singlePurchase(userId, { amount_total: 500 });
  await deliverEvents(database, completed);
  expect(await listUnmatchedEvents(db(), 100)).toContainEqual({
    id: completed.id,
    type: "checkout.session.completed",
    objectId: id,
    dashboard: expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/test\/payments\/pi_/),
    isSale: true,
    receivedAt: NOW,
    reason: "wrong-amount",
    paid: { amountCents: 500, currency: "eur" },
    playerEmail: await emailOf(userId),
    // It costs what was paid, which the pack that was sold does not.
    packId: await packId("any_amount"),
    canAssign: true,
    needsPack: true,
  });
});

test("a repeated form gets the first result, unless it names another player", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(null);
  await deliverEvents(database, completed);
  const formKey = randomUUID();
  const settle = async (resolution: Resolution) =>
    resolveUnmatchedEvent(db(), {
      ...{ eventId: completed.id, actor, resolution, formKey, ...circumstances() },
    });
  const given = { ok: true, isGranted: true, playerId: userId };
  expect(await settle(await assign(userId, PACK))).toEqual(given);
  expect(await settle(await assign(userId, PACK))).toEqual(given);
  const late = { ok: false, reason: "already-settled" };
  expect(await settle(await assign(await ben(db()), PACK))).toEqual(late);
  expect(await settle(await assign(userId, "any_amount"))).toEqual(late);
  expect(await settle({ kind: "dismiss" })).toEqual(late);
  expect(await balanceCents(db(), userId)).toBe(1_000);
});

test("an unmatched payment is granted to a player once, whatever comes later", async () => {
  const userId = await ben(db());
  const { completed, succeeded, refunded } = singlePurchase(null);
  await deliverEvents(database, [completed, succeeded]);
  const resolution = await assign(userId, PACK);
  const given = { ok: true, isGranted: true, playerId: userId };
  expect(await resolve(completed, resolution)).toEqual(given);
  expect(await resolve(completed, resolution)).toEqual({ ok: false, reason: "already-settled" });
  expect(await isUnmatched(succeeded)).toBe(false);
  expect(await deliverEvents(database, [completed, succeeded])).toEqual(["repeated", "repeated"]);
  expect(await balanceCents(db(), userId)).toBe(1_000);
  expect(await entries(completed)).toEqual([
    {
      actor,
      action: "payment.resolve",
      details: {
        type: "checkout.session.completed",
        resolution: "assign",
        playerId: userId,
        isGranted: true,
        paid: { amountCents: 999, currency: "eur" },
        ...{ packId: await packId(PACK), pack: "Single game" },
        ...{ priceCents: 999, creditsCents: 1_000 },
      },
    },
  ]);
  await deliverEvents(database, refunded(999));
  expect(await balanceCents(db(), userId)).toBe(0);
  expect((await checkBooks(db())).differences).toEqual([]);
});

test("an unmatched subscription is assigned to a player with all its months", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(null);
  await deliverEvents(database, [story.completed, story.paid(0)]);
  expect(await resolve(story.completed, await assign(userId, null))).toMatchObject({ ok: true });
  expect(await isUnmatched(story.paid(0))).toBe(false);
  await deliverEvents(database, story.paid(1));
  expect(await balanceCents(db(), userId)).toBe(4_000);
});

test("a subscription can be assigned by one of its invoices", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(null);
  const invoice = story.paid(0);
  await deliverEvents(database, [invoice, story.paid(1)]);
  expect(await resolve(invoice, await assign(userId, "monthly_4"))).toMatchObject({ ok: true });
  expect(await balanceCents(db(), userId)).toBe(4_000);
  const other = await ben(db());
  const second = story.paid(2, { amount_paid: 1 });
  await deliverEvents(database, second);
  expect(await resolve(second, await assign(other, "monthly_4"))).toEqual({
    ok: false,
    reason: "another-player",
  });
});

test("a retry applies the event after the pack is fixed, else it stays unmatched", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(userId, { payment_link: "plink_new" });
  await deliverEvents(database, completed);
  expect(await resolve(completed, { kind: "retry" })).toEqual({
    ok: false,
    reason: "still-unmatched",
  });
  const pack = db().updateTable("credit_packs").where("pack_key", "=", PACK);
  await pack.set({ stripe_payment_link_id: "plink_new" }).execute();
  expect(await resolve(completed, { kind: "retry" })).toMatchObject({ ok: true });
  await pack.set({ stripe_payment_link_id: `plink_${PACK}` }).execute();
  expect(await balanceCents(db(), userId)).toBe(1_000);
  expect(await entries(completed)).toHaveLength(1);
});

test("a payment of another sum is asked about, and given after the second yes to this very pack", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(null);
  await deliverEvents(database, completed);
  const wrong = { ...(await assign(userId, "monthly_4")), confirmed: "yes" };
  const before = await everything(db());
  const asked = await resolve(completed, wrong);
  const pack = { name: "4 games a month", priceCents: 3_400, creditsCents: 4_000 };
  const key = `${await packId("monthly_4")} 999 3400 4000`;
  expect(asked).toEqual({ ok: false, reason: "differs", paidCents: 999, pack, key });
  const other = { ...(await assign(userId, "monthly_8")), confirmed: key };
  expect(await resolve(completed, other)).toMatchObject({ reason: "differs" });
  expect(await everything(db())).toEqual(before);
  expect(await resolve(completed, { ...wrong, confirmed: key })).toMatchObject({ isGranted: true });
  expect(await balanceCents(db(), userId)).toBe(4_000);
  expect(await entries(completed)).toMatchObject([
    { details: { paid: { amountCents: 999 }, priceCents: 3_400, isConfirmed: true } },
  ]);
});

test("a payment by a former link gives what was sold then", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(null, { payment_link: "plink_former", amount_total: 800 });
  const pack_id = await packId(PACK);
  const former = { stripe_price_id: "price_former", stripe_payment_link_id: "plink_former" };
  const deal = { price_eur: "8.00", total_credit_eur: "9.00" };
  await db()
    .insertInto("former_pack_prices")
    .values({ pack_id, ...former, ...deal })
    .execute();
  await deliverEvents(database, completed);
  const listed = (await listUnmatchedEvents(db(), 100)).find(({ id }) => id === completed.id);
  expect(listed).toMatchObject({ packId: pack_id });
  expect(await resolve(completed, await assign(userId, PACK))).toMatchObject({ isGranted: true });
  expect(await balanceCents(db(), userId)).toBe(900);
});

test("a set-aside event moves no credits and keeps no payer data", async () => {
  const { completed } = singlePurchase(null);
  await deliverEvents(database, completed);
  expect(await resolve(completed, { kind: "dismiss" })).toMatchObject({ ok: true });
  const { status, payload } = await db()
    .selectFrom("stripe_events")
    .select(["status", "payload"])
    .where("id", "=", completed.id)
    .executeTakeFirstOrThrow();
  expect({ status, payload }).toEqual({ status: "resolved", payload: null });
});

test.each([
  ["no-player", async () => ({ kind: "assign", email: "nobody@uni.example", packId: null })],
  ["no-pack", async () => assign(await ben(database.db), null)],
] as const)("rejected and unchanged: %s", async (reason, resolution) => {
  const { completed } = singlePurchase(null);
  await deliverEvents(database, completed);
  const chosen = (await resolution()) as Resolution;
  const before = await everything(db());
  expect(await resolve(completed, chosen)).toEqual({ ok: false, reason });
  expect(await everything(db())).toEqual(before);
  expect(await isUnmatched(completed)).toBe(true);
  expect(await entries(completed)).toEqual([]);
});

test("an event of the other mode cannot be assigned", async () => {
  const userId = await ben(db());
  const live = { ...singlePurchase(userId).completed, livemode: true };
  await deliverEvents(database, live);
  expect(await resolve(live, await assign(userId, PACK))).toEqual({
    ok: false,
    reason: "not-assignable",
  });
  expect(await resolve(live, { kind: "dismiss" })).toMatchObject({ ok: true });
});

test("a payment in another currency cannot be granted", async () => {
  const userId = await ben(db());
  const { completed } = singlePurchase(userId, { currency: "usd" });
  await deliverEvents(database, completed);
  const known = (await listUnmatchedEvents(db(), 100)).find(({ id }) => id === completed.id);
  expect(known).toMatchObject({ canAssign: false, needsPack: false });
  expect(await resolve(completed, await assign(userId, PACK))).toEqual({
    ok: false,
    reason: "not-assignable",
  });
});

test("a payment granted meanwhile is not granted again", async () => {
  const userId = await ben(db());
  const { completed, succeeded } = singlePurchase(userId, { payment_link: "plink_new" });
  await deliverEvents(database, completed);
  const pack = db().updateTable("credit_packs").where("pack_key", "=", PACK);
  await pack.set({ stripe_payment_link_id: "plink_new" }).execute();
  await deliverEvents(database, succeeded);
  await pack.set({ stripe_payment_link_id: `plink_${PACK}` }).execute();
  expect(await resolve(completed, await assign(userId, PACK))).toEqual({
    ok: true,
    isGranted: false,
    playerId: userId,
  });
  expect(await balanceCents(db(), userId)).toBe(1_000);
});
