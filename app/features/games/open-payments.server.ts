import { type RawBuilder, sql } from "kysely";

/** SQL: somebody still has to pay for this seat. Not if they did not come, their account is
 * deleted, or an organiser has said that it is not collected. */
export function isPaymentOpen(booking: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${booking}.${name}`);
  // The first three as in the index "bookings_owed".
  return sql<boolean>`${column("payment_status")} = 'Unpaid'
    and ${column("not_collected_at")} is null and ${column("attendance")} is distinct from 'NoShow'
    and (select deleted_at from profiles where user_id = ${column("user_id")}) is null`;
}

/** SQL table `due` of ended bookings with cash that nobody has given back or kept. An unknown
 * amount counts as settled. */
export const PENDING_CASH = sql`(
  select bookings.id as booking_id, game_id, user_id, amount_eur
  from cash_payments join bookings on bookings.id = booking_id
  where booking_ended and undone_at is null and kept_at is null and amount_eur > 0
) as due`;
