import { sql, type RawBuilder } from "kysely";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { lastWithdrawalDay, WITHDRAWAL_DAYS, withdrawalRefundCents } from "./rules.ts";

export interface Purchase {
  paymentId: string;
  stripeObjectId: string;
  packName: string;
  paidAt: Date;
  amountCents: number;
  refundedCents: number;
  unusedCents: number;
  refundCents: number;
  lastDay: string;
  /** Whether it renews until it is cancelled, which a withdrawal from one month does not do. */
  isMonthly: boolean;
}

type Row = Pick<Purchase, "paymentId" | "stripeObjectId" | "packName" | "paidAt" | "isMonthly"> & {
  amount: string;
  credits: string;
  refunded: string;
  reclaimed: string;
  unused: string;
};

// A weekend at the end of the period adds two days, and a day has two ends.
const MOST_DAYS = WITHDRAWAL_DAYS + 4;

/** A player's purchases with unused credits that can still be withdrawn from, newest first. */
export async function listPurchases(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<Purchase[]> {
  const since = new Date(now.getTime() - MOST_DAYS * 86_400_000);
  const { rows } = await sql<Row>`
    select payment.id as "paymentId", payment.stripe_object_id as "stripeObjectId",
      pack.pack_name as "packName", payment.created_at as "paidAt",
      payment.amount_eur as amount, payment.credits_eur as credits,
      payment.refunded_eur as refunded, payment.taken_back_eur as reclaimed,
      payment.subscription_id is not null as "isMonthly", lots.unused
    from payments payment
    join credit_packs pack on pack.id = payment.pack_id
    cross join lateral (
      select coalesce(sum(remaining_eur), 0)::text as unused
      from credit_lots where payment_id = payment.id
    ) lots
    where payment.user_id = ${userId} and payment.created_at > ${since}
      and not exists (
        select from withdrawals where payment_id = payment.id and outcome is null
      )
    order by payment.created_at desc, payment.id`.execute(db);
  const today = helsinkiDate(now);
  return rows
    .map(toPurchase)
    .filter(({ refundCents, lastDay }) => refundCents > 0 && today <= lastDay);
}

function toPurchase({ amount, credits, refunded, reclaimed, unused, ...purchase }: Row): Purchase {
  const [amountCents, unusedCents] = [centsFromNumeric(amount), centsFromNumeric(unused)];
  const refundedCents = centsFromNumeric(refunded);
  const money = { amountCents, refundedCents, unusedCents };
  const creditsCents = centsFromNumeric(credits);
  const reclaimedCents = centsFromNumeric(reclaimed);
  return {
    ...purchase,
    ...money,
    refundCents: withdrawalRefundCents({ ...money, creditsCents, reclaimedCents }),
    lastDay: lastWithdrawalDay(helsinkiDate(purchase.paidAt)),
  };
}

export type Withdrawal = Awaited<ReturnType<typeof listWithdrawals>>[number];

/** Whether the purchase has an open withdrawal, or one that this very form has stated. */
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

export async function listWithdrawals(db: Db, userId: string) {
  const rows = await db
    .selectFrom("withdrawals")
    .innerJoin("payments", "payments.id", "withdrawals.payment_id")
    .innerJoin("credit_packs", "credit_packs.id", "payments.pack_id")
    .select([
      "withdrawals.id",
      "pack_name as packName",
      "withdrawals.credits_eur as credits",
      "withdrawals.amount_eur as refund",
      "stated_at as statedAt",
      "refusal_reason as refusalReason",
      withdrawalState().as("state"),
      sql<boolean>`payments.refunded_eur > refunded_before_eur`.as("isBegun"),
    ])
    .where("withdrawals.user_id", "=", userId)
    .orderBy("stated_at", "desc")
    .execute();
  return rows.map(({ credits, refund, isBegun, ...withdrawal }) => ({
    ...withdrawal,
    creditsCents: centsFromNumeric(credits),
    refundCents: centsFromNumeric(refund),
    // Until money has gone back.
    canCancelWithdrawal: withdrawal.state === "waiting" && !isBegun,
  }));
}

export type WithdrawalState = "waiting" | "paid-back" | "refused" | "taken-back";

export function withdrawalState(): RawBuilder<WithdrawalState> {
  return sql`case
    when outcome = 'refused' then 'refused'
    when outcome = 'taken_back' then 'taken-back'
    when paid_back_at is not null
      or payments.refunded_eur >= refunded_before_eur + withdrawals.amount_eur then 'paid-back'
    else 'waiting' end`;
}
