import { type RawBuilder, sql } from "kysely";
import { addDays, helsinkiDate } from "./clock.ts";

/** Days of Helsinki's calendar, "YYYY-MM-DD": the first, and the one after the last. */
export interface Span {
  from: string;
  until: string;
}

/** Weeks from Monday on, oldest first, the current one last. */
export function weeksUntil(now: Date, count: number): Span[] {
  const today = helsinkiDate(now);
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: count }, (_, index) => {
    const from = addDays(today, (index + 1 - count) * 7 - sinceMonday);
    return { from, until: addDays(from, 7) };
  });
}

export function monthOf(now: Date): Span {
  const from = `${helsinkiDate(now).slice(0, 7)}-01`;
  // No month is longer than 31 days, and none shorter than four.
  return { from, until: `${addDays(from, 31).slice(0, 7)}-01` };
}

/** Rows `span (place, starts, ends)` up to `now`; joined laterally, each is one index range. */
export function spanRows(spans: Span[], now: Date): RawBuilder<unknown> {
  const days = spans.map(({ from }) => from);
  const ends = spans.map(({ until }) => until);
  return sql`(
    select place, day::timestamp at time zone 'Europe/Helsinki' as starts,
      least(until::timestamp at time zone 'Europe/Helsinki', ${now}::timestamptz) as ends
    from unnest(${days}::date[], ${ends}::date[]) with ordinality listed (day, until, place)
  ) span`;
}
