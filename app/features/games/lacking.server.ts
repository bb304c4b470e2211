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
