import { expect, test } from "vitest";
import { sql } from "kysely";
import { useDatabase } from "#test/db.ts";
import { spanRows, weeksUntil } from "./date-ranges.server.ts";

const database = useDatabase();

test("a week with a change of clocks is an hour longer; none goes on after now", async () => {
  const now = new Date("2026-10-28T10:00:00Z");
  const rows = spanRows(weeksUntil(now, 2), now);
  const spans = await sql<{ starts: Date; ends: Date }>`
    select starts, ends from ${rows} order by place`.execute(database.db);
  expect(spans.rows).toEqual([
    { starts: new Date("2026-10-18T21:00:00Z"), ends: new Date("2026-10-25T22:00:00Z") },
    { starts: new Date("2026-10-25T22:00:00Z"), ends: now },
  ]);
});
