import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { type Span, spanRows } from "#app/platform/date-ranges.server.ts";

/** The accounts that there are, and how many of them are from each week. Deleted ones are none. */
export async function countPlayers(
  db: Db,
  { weeks, now }: { weeks: Span[]; now: Date },
): Promise<{ total: number; newPlayers: number[] }> {
  const { rows } = await sql<{ added: number; total: number }>`
    select counted.added, (select count(*) from profiles where deleted_at is null) as total
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as added from profiles
      where deleted_at is null and created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  return { total: rows[0]?.total ?? 0, newPlayers: rows.map(({ added }) => added) };
}
