import { type RawBuilder, sql } from "kysely";

/** How far a withdrawal has come. */
export type WithdrawalState = "waiting" | "paid-back" | "refused" | "taken-back";

/** Reads it from rows of `withdrawals` and `payments`: paid back is what either side has said. */
export function withdrawalState(): RawBuilder<WithdrawalState> {
  return sql`case
    when outcome = 'refused' then 'refused'
    when outcome = 'taken_back' then 'taken-back'
    when paid_back_at is not null
      or payments.refunded_eur >= refunded_before_eur + withdrawals.amount_eur then 'paid-back'
    else 'waiting' end`;
}
