import { type RawBuilder, sql } from "kysely";
import { addDays, helsinkiDate } from "./clock.ts";
import type { Db } from "./db.server.ts";

/** Days of Helsinki's calendar, "YYYY-MM-DD": the first, and the one after the last. */
export interface Span {
  from: string;
  until: string;
}

/** Weeks start on Monday; oldest first, the current one last. */
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

/** Rows `span (place, starts, ends, …)` up to `now`. Joined laterally, each is one index range. */
export function spanRows(spans: Span[], now: Date): RawBuilder<unknown> {
  const days = spans.map(({ from }) => from);
  const ends = spans.map(({ until }) => until);
  return listedSpans(
    sql`(select place, day, until
      from unnest(${days}::date[], ${ends}::date[]) with ordinality listed (day, until, place))`,
    now,
  );
}

/** All weeks from the earlier of `first` (SQL) and `day`; the current week has no end. */
export function weeksSince(
  first: RawBuilder<unknown>,
  now: Date,
  day?: string,
): RawBuilder<unknown> {
  const from = sql`least(week_of(${first}), ${day ?? null}::date)::timestamp`;
  const until = sql`case when monday = week_of(${now}) then 'infinity' else monday::date + 7 end`;
  return listedSpans(
    sql`(select monday, monday::date, ${until}
      from generate_series(${from}, week_of(${now})::timestamp, interval '7 days') listed (monday))`,
  );
}

export function listedSpans(listed: RawBuilder<unknown>, now?: Date): RawBuilder<unknown> {
  return sql`(
    select place, day, until, day::timestamp at time zone 'Europe/Helsinki' as starts,
      least(${UNTIL}, ${now ?? null}::timestamptz) as ends
    from ${listed} span (place, day, until)
  ) span`;
}

const UNTIL = sql`span.until::timestamp at time zone 'Europe/Helsinki'`;

export function isOver(now: Date): RawBuilder<boolean> {
  return sql<boolean>`${UNTIL} <= ${now}`;
}

/** One row per span, in order; null if `hasAny` is false. */
export async function countInSpans<Row>(
  db: Db,
  { spans, now }: { spans: Span[]; now: Date },
  { counted, hasAny }: Record<"counted" | "hasAny", RawBuilder<unknown>>,
): Promise<Row[] | null> {
  const { rows } = await sql<Row>`
    select counted.* from ${spanRows(spans, now)} cross join lateral (${counted}) counted
    where ${hasAny} order by span.place`.execute(db);
  return rows.length > 0 ? rows : null;
}
