import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { deliverEvents } from "#test/payments.ts";
import { reject, takeBack, walletOf, withdraw } from "#test/withdrawals.ts";
import { aGame, ben, hoursLater } from "#test/fixtures.ts";
import { charge, event } from "#app/routes/demo/stripe-objects.ts";
import { withdrawalRefundCents } from "#app/features/support/rules.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPack, DEFAULT_PACKS, findSoldPack } from "./packs.server.ts";
import { expireLots } from "./expire-lots.server.ts";
import { correctBalance } from "./correct-balance.server.ts";
import { grantPayment } from "./payments.server.ts";
import { type ModelLot, ModelWallet } from "#test/wallet-fixtures.ts";
import { isLong } from "#test/long.ts";

/*
 * Any order of purchases, months, renewals, late months, games, cancellations, corrections,
 * withdrawals, refunds and passing time: every lot holds what a wallet kept by hand holds. LONG=1 runs many more; SEED
 * repeats a run.
 */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const database = useDatabase();
const MONTH = 30 * 24;

type Step = (wallet: ModelWallet, userId: string) => Promise<void>;
const step = (name: string, run: Step) => Object.assign(run, { toString: () => name });

const buys = fc.constant(
  step("buys", async (wallet, userId) => {
    const lot = { remainingCents: 1_000, expiresAt: null };
    wallet.grant(lot);
    const id = await pay(userId, "pay_per_game", wallet.hour);
    wallet.purchases.push({ ...aPurchase(lot), id, amountCents: 999, creditsCents: 1_000 });
  }),
);

/** A month of one of two subscriptions: the next one, or one that is reported late. */
const months = fc.tuple(fc.constantFrom("a", "b"), fc.boolean()).map(([name, isLate]) =>
  step(isLate ? `late month ${name}` : `month ${name}`, async (wallet, userId) => {
    const periodEnd = wallet.hour + (isLate ? 1 : MONTH);
    const expiresAt = Math.max(periodEnd, wallet.hour + 7 * 24);
    const subscription = `sub_${name}_${userId}`;
    const lot = { remainingCents: 4_000, expiresAt, subscription, periodEnd };
    wallet.grantMonth(lot);
    const id = await pay(userId, "monthly_4", wallet.hour, {
      subscriptionId: subscription,
      periodEnd: hoursLater(periodEnd),
    });
    wallet.purchases.push({ ...aPurchase(lot), id, amountCents: 3_400, creditsCents: 4_000 });
  }),
);

const joins = fc.constant(
  step("joins", async (wallet, playerId) => {
    const gameId = await aGame(database.db, { startsIn: wallet.hour + 1_000 });
    const join = { gameId, playerId, now: hoursLater(wallet.hour) };
    const result = await joinGame(database.db, database.jobs, join);
    agree(result.ok, wallet.debtCents === 0 && wallet.balanceCents >= 1_000);
    if (result.ok) wallet.join(result.bookingId);
  }),
);

const cancels = fc.nat({ max: 20 }).map((n) =>
  step(`cancels ${n}`, async (wallet, playerId) => {
    const live = wallet.bookings.filter(({ isLive }) => isLive);
    const booking = live[n % Math.max(1, live.length)];
    if (!booking) return;
    const cancel = { bookingId: booking.id, playerId, now: hoursLater(wallet.hour) };
    const result = await cancelBooking(database.db, database.jobs, cancel);
    if (!result.ok) return void (booking.isLive = false);
    wallet.refund(booking, result.creditsBackCents);
  }),
);

const corrections = fc.integer({ min: -1_500, max: 1_500 }).map((cents) =>
  step(`corrected by ${cents}`, async (wallet, userId) => {
    if (cents === 0) return;
    const key = randomUUID();
    const grant = { userId, amountCents: cents, reason: "Sorry", actor: "command", key };
    const { ok: isDone } = await correctBalance(database.db, database.jobs, grant);
    agree(isDone, cents > 0 || wallet.balanceCents >= -cents);
    if (!isDone) return;
    if (cents > 0) wallet.grant({ remainingCents: cents, expiresAt: null });
    else wallet.spend(-cents);
  }),
);

const nth = fc.nat({ max: 20 });
const nthOf = <T>(things: T[], n: number) => things[n % things.length];

/** Stated when it was paid: the days that it may take are no matter of lots. */
const withdraws = nth.map((n) =>
  step(`withdraws ${n}`, async (wallet, userId) => {
    const purchase = nthOf(wallet.purchases, n);
    if (!purchase) return;
    const unusedCents = purchase.lot.remainingCents;
    const refundCents = withdrawalRefundCents({ ...purchase, unusedCents });
    const payments = database.db.selectFrom("payments").select(["id", "created_at as paidAt"]);
    const payment = await payments.where("stripe_object_id", "=", purchase.id).executeTakeFirst();
    const stated = await withdraw(database, { userId, paymentId: payment!.id }, payment!.paidAt);
    agree(stated !== null, !purchase.withdrawal && refundCents > 0);
    if (stated) wallet.withdraw(purchase, stated.withdrawalId, refundCents);
  }),
);
const ends = fc.tuple(nth, fc.boolean()).map(([n, isRejected]) =>
  step(`withdrawal ${n} is ${isRejected ? "rejected" : "taken back"}`, async (wallet, userId) => {
    const purchase = nthOf(
      wallet.purchases.filter(({ withdrawal }) => withdrawal),
      n,
    );
    if (!purchase) return;
    const withdrawalId = purchase.withdrawal!.id;
    const tickets = database.db.selectFrom("support_messages").select("id as ticketId");
    const ticket = await tickets.where("withdrawal_id", "=", withdrawalId).executeTakeFirst();
    const end = isRejected ? reject : takeBack;
    const stated = { ...ticket!, withdrawalId, userId };
    const { ok } = await end(database, stated, hoursLater(wallet.hour));
    agree(ok, purchase.refundedCents === purchase.withdrawal!.beforeCents);
    if (ok) wallet.endWithdrawal(purchase);
  }),
);
const refunds = fc.tuple(nth, fc.integer({ min: 1, max: 3 })).map(([n, thirds]) =>
  step(`${thirds} thirds of purchase ${n} are refunded`, async (wallet) => {
    const purchase = nthOf(wallet.purchases, n);
    if (!purchase) return;
    const { id: invoice, amountCents: amount } = purchase;
    const amount_refunded = Math.floor((amount * thirds) / 3);
    const now = hoursLater(wallet.hour);
    const refund = event("charge.refunded", charge({ invoice, amount, amount_refunded }));
    const [outcome] = await deliverEvents(database, refund, now);
    agree(outcome === "applied", true);
    wallet.refundMoney(purchase, amount_refunded);
  }),
);

const passes = fc.integer({ min: 1, max: 500 }).map((hours) =>
  step(`${hours} hours pass`, async (wallet) => {
    wallet.pass(hours);
    await expireLots(database.db, hoursLater(wallet.hour));
  }),
);

test(`every lot holds what it should (seed ${seed})`, { timeout: 1_800_000 }, async () => {
  for (const pack of DEFAULT_PACKS) {
    await addPack(database.db, { ...pack, stripe_price_id: `price_${pack.pack_key}` });
  }
  const steps = fc.array(
    fc.oneof(
      buys,
      months,
      joins,
      { arbitrary: joins, weight: 2 },
      cancels,
      corrections,
      passes,
      withdraws,
      ends,
      refunds,
    ),
    { minLength: 10, maxLength: isLong ? 60 : 30 },
  );
  const property = fc.asyncProperty(steps, async (actions) => {
    const wallet = new ModelWallet();
    const userId = await ben(database.db);
    for (const action of actions) {
      await action(wallet, userId);
      expect(await lotsOf(userId)).toEqual(wallet.lots.map((lot) => lot.remainingCents));
      expect(await walletOf(database, userId)).toMatchObject({ debtCents: wallet.debtCents });
    }
  });
  await fc.assert(property, { seed, numRuns: isLong ? 300 : 6, endOnFailure: true });
});

function agree(result: boolean, expected: boolean) {
  expect(result).toBe(expected);
}

async function pay(
  userId: string,
  packKey: string,
  hour: number,
  month?: { subscriptionId: string; periodEnd: Date },
): Promise<string> {
  const id = randomUUID();
  await database.db.transaction().execute(async (tx) => {
    const pack = (await findSoldPack(tx, { priceId: `price_${packKey}` }))!;
    const paid = { id, userId, pack, amountCents: pack.priceCents };
    await grantPayment(tx, database.jobs, month ? { ...paid, month } : paid, hoursLater(hour));
    const payment = tx.updateTable("payments").set({ created_at: hoursLater(hour) });
    await payment.where("stripe_object_id", "=", id).execute();
  });
  return id;
}

const aPurchase = (lot: ModelLot) => ({
  ...{ lot, refundedCents: 0, reclaimedCents: 0, withdrawal: null },
});

async function lotsOf(userId: string): Promise<number[]> {
  const lots = await database.db
    .selectFrom("credit_lots")
    .select("remaining_eur")
    .where("user_id", "=", userId)
    .orderBy("seq")
    .execute();
  return lots.map((lot) => Math.round(Number(lot.remaining_eur) * 100));
}
