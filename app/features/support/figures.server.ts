import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { type Span, spanRows } from "#app/platform/date-ranges.server.ts";

export interface RatedWeek {
  reviews: number;
  /** Of all their stars. */
  stars: number;
}

/** The reviews of each week; null before the first one was ever written. */
export async function countReviews(
  db: Db,
  { weeks, now }: { weeks: Span[]; now: Date },
): Promise<RatedWeek[] | null> {
  const { rows } = await sql<RatedWeek & { hasAny: boolean }>`
    select counted.*, (select min(created_at) from reviews) is not null as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as reviews, coalesce(sum(rating), 0) as stars from reviews
      where created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  return rows.map(({ reviews, stars }) => ({ reviews, stars }));
}
