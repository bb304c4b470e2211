import { sql, type RawBuilder } from "kysely";
import { helsinkiDate } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lastWithdrawalDay, refundDue, WITHDRAWAL_DAYS, withdrawalRefundCents } from "./rules.ts";

export type Purchase = Awaited<ReturnType<typeof listPurchases>>[number];

interface Row {
  paymentId: string;
  stripeObjectId: string;
  packName: string;
  paidAt: Date;
  amountCents: number;
  creditsCents: number;
  refundedCents: number;
  reclaimedCents: number;
  unusedCents: number;
  /** Whether it renews until it is cancelled, which a withdrawal from one month does not do. */
  isMonthly: boolean;
}

// A weekend at the end of the period adds two days; partial days at both ends add two more.
const MOST_DAYS = WITHDRAWAL_DAYS + 4;

export async function listPurchases(db: Db, { userId, now }: { userId: string; now: Date }) {
  const since = new Date(now.getTime() - MOST_DAYS * 86_400_000);
  const { rows } = await sql<Row>`
    select payment.id as "paymentId", payment.stripe_object_id as "stripeObjectId",
      pack.pack_name as "packName", payment.created_at as "paidAt",
      ${inCents("payment.amount_eur")} as "amountCents",
      ${inCents("payment.credits_eur")} as "creditsCents",
      ${inCents("payment.refunded_eur")} as "refundedCents",
      ${inCents("payment.taken_back_eur")} as "reclaimedCents",
      payment.subscription_id is not null as "isMonthly", lots."unusedCents"
    from payments payment
    join credit_packs pack on pack.id = payment.pack_id
    cross join lateral (
      select ${inCents(sql`sum(remaining_eur)`)} as "unusedCents"
      from credit_lots where payment_id = payment.id
    ) lots
    where payment.user_id = ${userId} and payment.created_at > ${since}
      and not exists (
        select from withdrawals where payment_id = payment.id and outcome is null
      )
    order by payment.created_at desc, payment.id`.execute(db);
  const today = helsinkiDate(now);
  return rows
    .map((row) => ({
      ...row,
      refundCents: withdrawalRefundCents(row),
      lastDay: lastWithdrawalDay(helsinkiDate(row.paidAt)),
    }))
    .filter(({ refundCents, lastDay }) => refundCents > 0 && today <= lastDay);
}

/** Whether the purchase has an open withdrawal, or one from this very form. */
export async function isWithdrawn(
  db: Db,
  wish: { userId: string; paymentId: string; formKey?: string | undefined },
): Promise<boolean> {
  const { userId, paymentId, formKey = null } = wish;
  if (!isId(paymentId)) return false;
  const stated = await db
    .selectFrom("withdrawals")
    .select("id")
    .where("user_id", "=", userId)
    .where("payment_id", "=", paymentId)
    .where((eb) => eb.or([eb("outcome", "is", null), eb("id", "=", formKey)]))
    .executeTakeFirst();
  return stated !== undefined;
}

export type Withdrawal = Awaited<ReturnType<typeof listWithdrawals>>[number];

export async function listWithdrawals(db: Db, userId: string) {
  const rows = await selectWithdrawals(db)
    .select(["withdrawals.id", "stated_at as statedAt", "refusal_reason as rejectionReason"])
    .where("withdrawals.user_id", "=", userId)
    .orderBy("stated_at", "desc")
    .execute();
  return rows.map(({ isBegun, ...withdrawal }) => ({
    ...withdrawal,
    canCancelWithdrawal: withdrawal.state === "waiting" && !isBegun,
  }));
}

export type PendingWithdrawals = Awaited<ReturnType<typeof countPendingWithdrawals>>;

/** How many wait for their refund, each with an open ticket; `next` is the most urgent one. */
export async function countPendingWithdrawals(db: Db, now: Date) {
  const { count, statedAt } = await db
    .selectFrom("withdrawals")
    .innerJoin("payments", "payments.id", "withdrawals.payment_id")
    .innerJoin("support_messages", "support_messages.withdrawal_id", "withdrawals.id")
    .select(sql<number>`count(*)::integer`.as("count"))
    .select(sql<Date | null>`min(stated_at)`.as("statedAt"))
    .where(sql<boolean>`${withdrawalState()} = 'waiting'`)
    // The same for an index, which the state has none of.
    .where(sql<boolean>`outcome is null and paid_back_at is null`)
    .where("support_messages.status", "=", "open")
    .executeTakeFirstOrThrow();
  return { count, next: statedAt && refundDue(helsinkiDate(statedAt), helsinkiDate(now)) };
}

/** Joins its purchase; `isBegun` is whether Stripe has reported any of the refund. */
export const selectWithdrawals = (db: Db) =>
  db
    .selectFrom("withdrawals")
    .innerJoin("payments", "payments.id", "withdrawals.payment_id")
    .innerJoin("credit_packs", "credit_packs.id", "payments.pack_id")
    .select([
      "pack_name as packName",
      inCents("withdrawals.credits_eur").as("creditsCents"),
      inCents("withdrawals.amount_eur").as("refundCents"),
      withdrawalState().as("state"),
      sql<boolean>`payments.refunded_eur > refunded_before_eur`.as("isBegun"),
    ]);

export type WithdrawalState = "waiting" | "paid-back" | "refused" | "taken-back";

export function withdrawalState(): RawBuilder<WithdrawalState> {
  return sql`case
    when outcome = 'refused' then 'refused'
    when outcome = 'taken_back' then 'taken-back'
    when paid_back_at is not null
      or payments.refunded_eur >= refunded_before_eur + withdrawals.amount_eur then 'paid-back'
    else 'waiting' end`;
}
