import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Receipt } from "./receipt-rules.ts";

interface Whose {
  paymentId: string;
  /** Only this player's. */
  userId?: string;
}

/** Null if there is no such payment, or it is another player's. */
export async function findReceipt(db: Db, { paymentId, userId }: Whose): Promise<Receipt | null> {
  if (!isId(paymentId)) return null;
  const own = userId ? sql`and payments.user_id = ${userId}` : sql``;
  const { rows } = await sql<Receipt>`
    select payments.id as "paymentId", receipt_year as year, receipt_number as number,
      payments.created_at as "paidAt", refunded_at as "refundedAt",
      ${inCents("payments.amount_eur")} as "amountCents",
      ${inCents("credits_eur")} as "creditsCents",
      ${inCents("refunded_eur")} as "refundedCents",
      case when deleted_at is null then concat_ws(' ', first_name, last_name) end as buyer,
      -- As the pack was called then.
      (select notes from wallet_transactions
        where business_key = 'payment:' || stripe_object_id) as pack,
      coalesce((
        select json_agg(json_build_object('amountCents', ${inCents("disputes.amount_eur")},
          'status', status, 'at', state_at) order by state_at, id)
        from disputes where payment_id = payments.id), '[]') as disputes
    from payments join profiles on profiles.user_id = payments.user_id
    where payments.id = ${paymentId} ${own}`.execute(db);
  return rows[0] ? withDates(rows[0]) : null;
}

function withDates(receipt: Receipt): Receipt {
  const disputes = receipt.disputes.map(({ at, ...dispute }) => ({
    ...dispute,
    at: at && new Date(at),
  }));
  return { ...receipt, disputes };
}
