import { type RawBuilder, sql } from "kysely";
import { LACKING_DAYS } from "./filters.ts";

type Lacking = "attendance" | "result";

/** A game that took place with players and is over, but not for so long that nobody remembers. */
export function isToComplete(game: string, now: Date): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${game}.${column}`);
  const since = new Date(now.getTime() - LACKING_DAYS * 86_400_000);
  return sql`(${of("status")} in ('Published', 'Completed') and ${of("seats_taken")} > 0
    and ${of("starts_at")} > ${since} and ${of("starts_at")} < ${now} and ${of("ends_at")} <= ${now})`;
}

/** Marks are counted in their own index; all other seats have none. */
export function unmarkedOf(game: string): RawBuilder<number> {
  return sql`(${sql.ref(`${game}.seats_taken`)} - (
    select count(*)::integer from bookings where game_id = ${sql.ref(`${game}.id`)}
      and attendance is not null and payment_status in ('Paid', 'Unpaid')))`;
}

export function lacks(what: Lacking, game: string): RawBuilder<boolean> {
  if (what === "attendance") return sql`(${unmarkedOf(game)} > 0)`;
  // Not "exists", which the planner would hash: one look into an index.
  const result = sql`select true from game_results where game_id = ${sql.ref(`${game}.id`)}`;
  return sql`(${sql.ref(`${game}.keeps_result`)} and (${result}) is null)`;
}

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
