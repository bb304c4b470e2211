import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { isOver, listedSpans, weeksSince } from "./date-ranges.server.ts";
import type { Db, Tx } from "./db.server.ts";

/** Counted by the week. A past week is counted once, and again after a change. */
export interface WeeklyMetric {
  name: string;
  /** The rows whose triggers note each change of it (`week_changes`). */
  source: "games" | "profiles" | "payments" | "wallet_transactions";
  /** SQL for the instant of the first row that may count, or null. */
  first: RawBuilder<unknown>;
  /** SQL for one row per `span (starts, ends)`. */
  counted: RawBuilder<unknown>;
}

interface Asked {
  spans: RawBuilder<unknown>;
  hasAny: RawBuilder<unknown>;
  now: Date;
}

/** One row per span, in order; null if `hasAny` is false. One statement, so exact. */
export async function countWeeks<Row>(
  db: Db,
  metric: WeeklyMetric,
  { spans, hasAny, now }: Asked,
): Promise<Row[] | null> {
  const { rows } = await sql<{ found: Row }>`
    select coalesce(kept.found, fresh.found) as found
    from ${spans} left join ${keptOf(db, metric)}
      on kept.week = span.day and span.until = span.day + 7 and ${isOver(now)}
    left join lateral (
      select to_jsonb(counted) as found
      from (select where kept.week is null offset 0) missing
      cross join lateral (${metric.counted}) counted
    ) fresh on true
    where ${hasAny} order by span.place`.execute(db);
  return rows.length > 0 ? rows.map(({ found }) => found) : null;
}

/** A table `kept (week, found)`: counted by these rules and unchanged since. */
function keptOf(db: Db, metric: WeeklyMetric): RawBuilder<unknown> {
  const { name, source } = metric;
  return sql`(
    select week, found from weekly_metrics
    where metric = ${name} and rules = ${rulesOf(db, metric)} and not exists (
      select from week_changes
      where source = ${source} and week_changes.week = weekly_metrics.week)
  ) kept`;
}

/** A hash of the statement: a release that counts otherwise counts again. */
function rulesOf(db: Db, { counted }: WeeklyMetric): string {
  const { sql: text, parameters } = counted.compile(db);
  return createHash("sha256")
    .update(JSON.stringify([text, parameters]))
    .digest("base64");
}

/** Counts past weeks that are not kept yet, or changed since. Several may run at once. */
export async function keepWeeks(db: Db, metrics: WeeklyMetric[], now: Date): Promise<void> {
  for (const ofSource of Object.values(Object.groupBy(metrics, ({ source }) => source))) {
    const weeks = await listStale(db, ofSource, now);
    for (const week of weeks) await keepWeek(db, ofSource, week);
    await dropOtherChanges(db, ofSource[0]!.source);
  }
}

async function listStale(db: Db, metrics: WeeklyMetric[], now: Date): Promise<string[]> {
  const { source, first } = metrics[0]!;
  const names = metrics.map(({ name }) => name);
  const rules = metrics.map((metric) => rulesOf(db, metric));
  const { rows } = await sql<{ day: string }>`
    select day from ${weeksSince(first, now)}
    where ${isOver(now)} and (
      exists (select from week_changes where source = ${source} and week = day)
      or (select count(*) from weekly_metrics
        join unnest(${names}::text[], ${rules}::text[]) known (metric, rules) using (metric, rules)
        where week = day) < ${metrics.length})
    order by day desc`.execute(db);
  return rows.map(({ day }) => day);
}

// One statement counts and removes the changes that it has counted: a change that commits later
// remains, and so the week is not used.
async function keepWeek(db: Db, metrics: WeeklyMetric[], week: string): Promise<void> {
  const { source } = metrics[0]!;
  const names = metrics.map(({ name }) => name);
  const counts = metrics.map(
    (metric) => sql`
      select ${metric.name}, day, ${source}, ${rulesOf(db, metric)}, to_jsonb(counted)
      from ${listedSpans(sql`(values (1, ${week}::date, ${week}::date + 7))`)}
      cross join lateral (${metric.counted}) counted`,
  );
  await withTableLocked(db, (tx) =>
    sql`
      with counted_changes as (
        delete from week_changes where source = ${source} and week = ${week}
      ), of_other_releases as (
        delete from weekly_metrics
        where source = ${source} and week = ${week} and metric <> all(${names}::text[])
      )
      insert into weekly_metrics (metric, week, source, rules, found)
      ${sql.join(counts, sql` union all `)}
      on conflict (metric, week)
        do update set source = excluded.source, rules = excluded.rules, found = excluded.found
    `.execute(tx),
  );
}

async function dropOtherChanges(db: Db, source: string): Promise<void> {
  await withTableLocked(db, (tx) =>
    sql`
      delete from week_changes where source = ${source} and not exists (
        select from weekly_metrics kept
        where kept.source = week_changes.source and kept.week = week_changes.week)
    `.execute(tx),
  );
}

// READ COMMITTED: a statement after the lock sees all that was kept before it.
async function withTableLocked(db: Db, write: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table weekly_metrics in share row exclusive mode`.execute(tx);
    await write(tx);
  });
}

export async function listWrongWeeks(db: Db, metrics: WeeklyMetric[]): Promise<string[]> {
  const lines: string[] = [];
  for (const metric of metrics) {
    const week = sql`(values (1, kept.week, kept.week + 7))`;
    const { rows } = await sql<{ line: string }>`
      select format('%s in the week of %s: kept %s, counted %s', ${metric.name}::text, kept.week,
        kept.found, to_jsonb(counted)) as line
      from ${keptOf(db, metric)} cross join lateral ${listedSpans(week)}
      cross join lateral (${metric.counted}) counted
      where kept.found <> to_jsonb(counted) order by kept.week`.execute(db);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
}
