import { beforeAll, expect, test } from "vitest";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { withoutPersonLock } from "#test/disable-locks.ts";
import { ben, NOW } from "#test/fixtures.ts";
import { untilBlocked } from "#test/lock-order.ts";
import {
  MONTHLY,
  monthlyPurchase,
  singlePurchase,
  somePacks,
  deliverEvents,
} from "#test/payments.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { lockPayments, tryEvent } from "./apply-stripe-event.server.ts";
import { beginCheckout } from "./begin-checkout.server.ts";

const database = useDatabase();
const prefix = "https://buy.stripe.com/";
let packId: string;
beforeAll(async () => {
  await somePacks(database.db);
  const pack = await database.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: `${prefix}monthly` })
    .where("pack_key", "=", MONTHLY)
    .returning("id")
    .executeTakeFirstOrThrow();
  packId = pack.id;
});

const begin = (userId: string, { db = database.db, confirmed = "" } = {}) =>
  beginCheckout(db, { packId, userId, email: "ben@uni.example", prefix, confirmed, now: NOW });

type Wait = (holder: Tx, checkout: Promise<unknown>) => Promise<unknown>;
interface Meanwhile {
  userId: string;
  event: SentEvent;
  db?: Db;
  wait: Wait;
}

/** A checkout that begins while an event about the player is applied, uncommitted. */
async function checkoutMeanwhile({ userId, event, db = database.db, wait }: Meanwhile) {
  const held = await database.db.transaction().execute(async (holder) => {
    await lockPayments(holder);
    await tryEvent(holder, event, { jobs: database.jobs, isLive: false, now: NOW });
    const checkout = begin(userId, { db });
    await wait(holder, checkout);
    return { checkout };
  });
  return held.checkout;
}

const untilItWaits: Wait = (holder, checkout) => untilBlocked(holder, database.db, checkout);
const lockless = () => ({
  db: database.db.withPlugin(withoutPersonLock),
  wait: (_: Tx, checkout: Promise<unknown>) => checkout,
});

/** Whose plan begins with the event that is returned. */
async function aSubscriber() {
  const userId = await ben(database.db);
  const { paid, created, completed } = monthlyPurchase(userId);
  await deliverEvents(database, [paid(0), created]);
  return { userId, event: completed };
}

async function aPayer() {
  const userId = await ben(database.db);
  return { userId, event: singlePurchase(userId).unpaid };
}

test("a checkout waits for an event that is being applied, and then finds its plan", async () => {
  expect(await checkoutMeanwhile({ ...(await aSubscriber()), wait: untilItWaits })).toMatchObject({
    ok: false,
    reason: "has-plan",
    plan: { packName: "4 games a month" },
  });
});

test("without the lock it would sell a second plan", async () => {
  expect(await checkoutMeanwhile({ ...(await aSubscriber()), ...lockless() })).toMatchObject({
    ok: true,
  });
});

test("a checkout on a second device waits for the event of the first, and asks", async () => {
  expect(await checkoutMeanwhile({ ...(await aPayer()), wait: untilItWaits })).toMatchObject({
    ok: false,
    reason: "pays-already",
    payments: [{ amountCents: 999 }],
  });
});

test("without the lock the second device would be led away unasked", async () => {
  expect(await checkoutMeanwhile({ ...(await aPayer()), ...lockless() })).toMatchObject({
    ok: true,
  });
});

test("a payment on its way is asked about once, and again once there is another", async () => {
  const { userId, event } = await aPayer();
  await deliverEvents(database, event);
  const asked = await begin(userId);
  if (asked.ok || asked.reason !== "pays-already") throw new Error("not asked");
  expect(await begin(userId, { confirmed: asked.key })).toMatchObject({ ok: true });
  expect(await begin(userId, { confirmed: "another" })).toMatchObject({ ok: false });
  await deliverEvents(database, singlePurchase(userId).unpaid);
  expect(await begin(userId, { confirmed: asked.key })).toMatchObject({
    reason: "pays-already",
    payments: [{}, {}],
  });
});

test("nothing is asked about another's payment, or one that has ended", async () => {
  const { userId, event } = await aPayer();
  await deliverEvents(database, event);
  expect(await begin(await ben(database.db))).toMatchObject({ ok: true });
  const failed = {
    ...event,
    id: `${event.id}failed`,
    type: "checkout.session.async_payment_failed",
  };
  await deliverEvents(database, failed as SentEvent);
  expect(await begin(userId)).toMatchObject({ ok: true });
});
