import { sql } from "kysely";
import { expect } from "vitest";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  rejectWithdrawal,
  cancelWithdrawal,
  withdrawPurchase,
} from "#app/features/support/withdraw-purchase.server.ts";
import { listPurchases } from "#app/features/support/withdrawals.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import {
  charge,
  dispute,
  event,
  stripeId,
  invoicePayment,
} from "#app/routes/demo/stripe-objects.ts";
import { monthlyPurchase, singlePurchase, deliverEvents } from "./payments.ts";
import { aGame, aPlayer, balanceCents, ben, NOW } from "./fixtures.ts";

type Scenario = Pick<TestDatabase, "db" | "jobs">;

/** Buyer of a single game now, 10 credits for 9.99: the player of that id, or a new one. */
export async function aBuyer({ db, jobs }: Scenario, of?: string) {
  const userId = of ?? (await ben(db));
  const pack = singlePurchase(userId);
  await deliverEvents({ db, jobs }, pack.completed);
  return { userId, pack, paymentId: await findPaymentId(db, pack.id) };
}

/** A player who bought a month of 40 credits for 34 € and has played 10 of them. */
export async function aMonthlyPlayer({ db, jobs }: Scenario) {
  const userId = await ben(db);
  const plan = monthlyPurchase(userId);
  const invoice = plan.invoiceId(0);
  const reference = event("invoice_payment.paid", invoicePayment({ invoice }));
  await deliverEvents({ db, jobs }, [plan.completed, plan.created, plan.paid(0), reference]);
  const joined = await joinGame(db, jobs, { gameId: await aGame(db), playerId: userId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const ids = { payment_intent: stripeId("pi", invoice), amount: 3_400 };
  return {
    userId,
    plan,
    bookingId: joined.bookingId,
    paymentId: await findPaymentId(db, invoice),
    refunded: (amount_refunded: number) =>
      event("charge.refunded", charge({ ...ids, amount_refunded })),
    disputed: (status: "needs_response" | "won" | "lost", amount = 3_400) =>
      event(
        status === "needs_response" ? "charge.dispute.created" : "charge.dispute.closed",
        dispute({ ...ids, id: stripeId("du", invoice), status, amount }),
      ),
  };
}

async function findPaymentId(db: Db, stripeObjectId: string): Promise<string> {
  const payment = await db
    .updateTable("payments")
    .set({ created_at: NOW })
    .where("stripe_object_id", "=", stripeObjectId)
    .returning("id")
    .executeTakeFirstOrThrow();
  return payment.id;
}

/** States a withdrawal; null where that is not possible. */
export async function withdraw(
  { db, jobs }: Scenario,
  { userId, paymentId }: { userId: string; paymentId: string },
  now = NOW,
) {
  const purchase = await withdrawPurchase(db, jobs, { userId, paymentId, now });
  if (!purchase) return null;
  const row = await db
    .selectFrom("withdrawals")
    .leftJoin("support_messages", "withdrawal_id", "withdrawals.id")
    .select(["withdrawals.id", "support_messages.id as ticketId"])
    .where("payment_id", "=", paymentId)
    .where("outcome", "is", null)
    .executeTakeFirstOrThrow();
  return { withdrawalId: row.id, ticketId: row.ticketId!, userId };
}
export type Stated = NonNullable<Awaited<ReturnType<typeof withdraw>>>;

export const takeBack = ({ db, jobs }: Scenario, { withdrawalId, userId }: Stated, now = NOW) =>
  cancelWithdrawal(db, jobs, { withdrawalId, userId, now });

const organisers = new WeakMap<Db, Promise<string>>();
export async function reject({ db, jobs }: Scenario, { ticketId }: Stated, now = NOW) {
  const organiser = organisers.get(db) ?? aPlayer(db, { name: "Olga" });
  organisers.set(db, organiser);
  const actor = await organiser;
  return rejectWithdrawal(db, jobs, { ticketId, actor, reason: "Too late, sorry", now });
}

export const canWithdraw = async ({ db }: Scenario, userId: string) =>
  (await listPurchases(db, { userId, now: NOW })).length > 0;

/** What a player has and owes, in cents, with the books checked. */
export async function walletOf({ db }: Scenario, userId: string) {
  const { rows } = await sql<{ debtCents: number }>`
    select (wallet_debt_eur * 100)::int as "debtCents" from profiles
    where user_id = ${userId}`.execute(db);
  expect((await checkBooks(db)).differences).toEqual([]);
  return { balanceCents: await balanceCents(db, userId), ...rows[0]! };
}
