import { beforeAll, expect, test } from "vitest";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { withoutPersonLock } from "#test/disable-locks.ts";
import { ben, NOW } from "#test/fixtures.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { MONTHLY, monthlyPurchase, somePacks, deliverEvents } from "#test/payments.ts";
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

type Wait = (holder: Tx, checkout: Promise<unknown>) => Promise<unknown>;

/** A checkout that begins while the event that starts the player's plan is applied, uncommitted. */
async function checkoutMeanwhile(db: Db, wait: Wait) {
  const userId = await ben(database.db);
  const { paid, created, completed } = monthlyPurchase(userId);
  await deliverEvents(database, [paid(0), created]);
  const held = await database.db.transaction().execute(async (holder) => {
    await lockPayments(holder);
    await tryEvent(holder, completed, { jobs: database.jobs, isLive: false, now: NOW });
    const checkout = beginCheckout(db, { packId, userId, email: "ben@uni.example", prefix });
    await wait(holder, checkout);
    return { checkout };
  });
  return held.checkout;
}

test("a checkout waits for an event that is being applied, and then finds its plan", async () => {
  const wait: Wait = (holder, checkout) => untilBlocked(holder, database.db, checkout);
  expect(await checkoutMeanwhile(database.db, wait)).toMatchObject({
    ok: false,
    reason: "has-plan",
    plan: { packName: "4 games a month" },
  });
});

test("without the lock it would sell a second plan", async () => {
  const lockless = database.db.withPlugin(withoutPersonLock);
  expect(await checkoutMeanwhile(lockless, (_, checkout) => checkout)).toMatchObject({ ok: true });
});
