import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Receipt } from "./receipt-rules.ts";

interface Whose {
  paymentId: string;
  /** Only this player's. */
  userId?: string;
}

export interface PaymentReceipt extends Receipt {
  userId: string;
  /** How often it was given to a player: once, unless an assignment was taken back. */
  assignments: number;
  /** When its credits expire; null if never. */
  expiresAt: Date | null;
  /** How many of its credits settled a debt at once. */
  settledCents: number;
}

/** Null if there is no such payment, or it is another player's. */
export async function findReceipt(
  db: Db,
  { paymentId, userId }: Whose,
): Promise<PaymentReceipt | null> {
  if (!isId(paymentId)) return null;
  const own = userId ? sql`and payments.user_id = ${userId}` : sql``;
  const { rows } = await sql<PaymentReceipt>`
    select payments.id as "paymentId", payments.user_id as "userId", assignments, receipt_year as year, receipt_number as number,
      payments.created_at as "paidAt", refunded_at as "refundedAt",
      ${inCents("payments.amount_eur")} as "amountCents",
      ${inCents("credits_eur")} as "creditsCents",
      ${inCents("refunded_eur")} as "refundedCents",
      case when deleted_at is null then concat_ws(' ', first_name, last_name) end as buyer,
      (select expires_at from credit_lots where payment_id = payments.id order by seq limit 1)
        as "expiresAt",
      coalesce((select ${inCents(sql`-amount_eur`)} from wallet_transactions
        where business_key = 'settle:' || ledger_key), 0) as "settledCents",
      payments.subscription_id is not null as "isMonthly",
      -- Known for as long as it is kept who went to pay for which game; a renewal pays for none.
      (select json_build_object('venue', venues.name, 'date', games.date, 'time', games.start_time)
        from payment_holds hold
          join games on games.id = hold.game_id join venues on venues.id = games.venue_id
        where hold.session_id = coalesce(payments.subscription_id, payments.stripe_object_id)
          and hold.user_id = payments.user_id and hold.status <> 'GivenBack'
          and not exists (select from payments before
            where before.subscription_id = payments.subscription_id
              and before.created_at < payments.created_at)) as game,
      -- As the pack was called then.
      (select notes from wallet_transactions
        where business_key = ledger_key) as pack,
      coalesce((
        select json_agg(json_build_object('amountCents', ${inCents("disputes.amount_eur")},
          'status', status, 'at', state_at) order by state_at, id)
        from disputes where payment_id = payments.id), '[]') as disputes
    from payments join profiles on profiles.user_id = payments.user_id
    where payments.id = ${paymentId} ${own}`.execute(db);
  return rows[0] ? withDates(rows[0]) : null;
}

function withDates(receipt: PaymentReceipt): PaymentReceipt {
  const disputes = receipt.disputes.map(({ at, ...dispute }) => ({
    ...dispute,
    at: at && new Date(at),
  }));
  return { ...receipt, disputes };
}
