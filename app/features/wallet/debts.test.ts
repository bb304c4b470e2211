import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  lotsOf,
  monthlyPurchase,
  singlePurchase,
  somePacks,
  deliverEvents,
} from "#test/payments.ts";
import { ada, aGame, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import {
  invoicePayment,
  dispute as disputeOf,
  event,
  stripeId,
} from "#app/routes/demo/stripe-objects.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "./correct-balance.server.ts";

const database = useDatabase();
const { db } = { db: () => database.db };
beforeAll(() => somePacks(db()));

const join = async (playerId: string, game = {}) => {
  const gameId = await aGame(db(), game);
  return joinGame(db(), database.jobs, { gameId, playerId, now: NOW });
};

async function wallet(userId: string) {
  const { wallet_debt_eur: debt } = await db()
    .selectFrom("profiles")
    .select("wallet_debt_eur")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  expect((await checkBooks(db())).differences).toEqual([]);
  return { balanceCents: await balanceCents(db(), userId), debt };
}

/** A player who has bought 10 credits, played them, and gets the payment back. */
async function aDebtor() {
  const userId = await ben(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, story.completed);
  const booking = await join(userId);
  if (!booking.ok) throw new Error(booking.reason);
  await deliverEvents(database, story.refunded(999));
  return { userId, story, bookingId: booking.bookingId };
}

test("spent credits are owed, and the balance never falls below 0", async () => {
  const { userId } = await aDebtor();
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "10.00" });
});

test("half refunded and nothing spent: no debt", async () => {
  const userId = await ben(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, [story.completed, story.refunded(500)]);
  expect(await wallet(userId)).toEqual({ balanceCents: 500, debt: "0.00" });
});

test("other credits pay before anything is owed", async () => {
  const userId = await ada(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, story.completed);
  for (let game = 0; game < 11; game += 1) await join(userId);
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "0.00" });
  await correctBalance(db(), database.jobs, grant(userId, 700));
  await deliverEvents(database, story.refunded(999));
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "3.00" });
});

test("a debt blocks every join, a free one too, until it is settled", async () => {
  const { userId } = await aDebtor();
  const failed = { ok: false, reason: "not-enough-credits" };
  expect(await join(userId)).toMatchObject(failed);
  expect(await join(userId, { is_first_session_free: true })).toMatchObject(failed);
  await deliverEvents(database, singlePurchase(userId).completed);
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "0.00" });
  expect(await join(userId, { is_first_session_free: true })).toMatchObject({ ok: true });
});

test("a correction or the game's refund settles it, whichever comes first", async () => {
  const { userId, bookingId } = await aDebtor();
  await correctBalance(db(), database.jobs, grant(userId, 400));
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "6.00" });
  await cancelBooking(db(), database.jobs, { bookingId, playerId: userId, now: NOW });
  expect(await wallet(userId)).toEqual({ balanceCents: 301, debt: "0.00" });
});

test("a dispute that is won forgives the debt, and gives again what had settled it", async () => {
  const userId = await ben(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, story.completed);
  await join(userId);
  await deliverEvents(database, story.disputed("needs_response"));
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "10.00" });
  await correctBalance(db(), database.jobs, grant(userId, 400));
  await deliverEvents(database, story.disputed("won"));
  expect(await wallet(userId)).toEqual({ balanceCents: 400, debt: "0.00" });
});

test("a payment refunded and disputed at once is reclaimed once", async () => {
  const userId = await ada(db());
  const story = singlePurchase(userId);
  await deliverEvents(database, [story.completed, story.disputed("lost"), story.refunded(999)]);
  expect(await wallet(userId)).toEqual({ balanceCents: 10_000, debt: "0.00" });
});

test("of two debts the older one is settled first", async () => {
  const userId = await ben(db());
  const purchases = [singlePurchase(userId), singlePurchase(userId)];
  for (const story of purchases) {
    await deliverEvents(database, story.completed);
    await join(userId);
  }
  for (const story of purchases) await deliverEvents(database, story.refunded(999));
  await correctBalance(db(), database.jobs, grant(userId, 1_200));
  const owed = await db()
    .selectFrom("payments")
    .select("owed_eur")
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  expect(owed.map((payment) => payment.owed_eur)).toEqual(["0.00", "8.00"]);
});

test("a month that is given again after its end can be spent for a week", async () => {
  const userId = await ben(db());
  const story = monthlyPurchase(userId);
  const invoice = story.invoiceId(0);
  const dispute = (status: "needs_response" | "won") => ({
    id: stripeId("du", invoice),
    status,
    amount: 3_400,
    payment_intent: stripeId("pi", invoice),
  });
  await deliverEvents(database, [
    story.completed,
    story.paid(0),
    event("invoice_payment.paid", invoicePayment({ invoice })),
    event("charge.dispute.created", disputeOf(dispute("needs_response"))),
  ]);
  expect(await wallet(userId)).toEqual({ balanceCents: 0, debt: "0.00" });
  const later = hoursLater(40 * 24);
  await deliverEvents(database, event("charge.dispute.closed", disputeOf(dispute("won"))), later);
  expect((await lotsOf(db(), userId)).at(-1)).toEqual({
    source: "adjustment",
    remaining_eur: "40.00",
    expires_at: hoursLater(47 * 24),
  });
});

const grant = (userId: string, amountCents: number) => ({
  userId,
  amountCents,
  reason: "Sorry",
  actor: "command",
  key: crypto.randomUUID(),
});
