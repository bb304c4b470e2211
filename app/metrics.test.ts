import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { startSilentProxy } from "#test/database-proxies.ts";
import { readScrape } from "#test/promql.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { registry } from "#app/platform/watch/metrics.server.ts";
import { createFigures } from "./metrics.server.ts";

const database = useDatabase();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

async function open(connection = database.connection, freshMs?: number) {
  const figures = createFigures({
    pools: { requests: database.pool },
    openForMetrics: (limits) => openDatabase(connection, 1, limits, "metrics"),
    live: { count: () => 0 },
    ...(freshMs !== undefined && { freshMs }),
  });
  ends.push(figures.close);
  return figures;
}

async function valueOf(name: string, labels: Record<string, string> = {}) {
  const samples = readScrape(await registry.metrics());
  const wanted = Object.entries(labels);
  return samples.find(
    (each) => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
  )?.value;
}

test.each(["closed", "silent"] as const)(
  "while the database is %s a scrape says so, and nothing that it does not know",
  async (how) => {
    const proxy = await startSilentProxy(database.connection);
    const figures = await open(proxy.connection, 0);
    ends.push(proxy.close);
    await figures.refresh();
    expect(await valueOf("kickabout_database_up")).toBe(1);
    expect(await valueOf("kickabout_unmatched_payments")).toBe(0);
    if (how === "closed") proxy.closeAll();
    else proxy.silenceAll();
    await figures.refresh();
    expect(await valueOf("kickabout_database_up")).toBe(0);
    expect(await valueOf("kickabout_unmatched_payments")).toBeUndefined();
    expect(await valueOf("kickabout_jobs", { kind: "mail" })).toBeUndefined();
    expect(await valueOf("kickabout_db_pool_max")).toBeGreaterThan(0);
    proxy.letThrough();
    await vi.waitFor(async () => {
      await figures.refresh();
      expect(await valueOf("kickabout_database_up")).toBe(1);
    }, 10_000);
    expect(await valueOf("kickabout_unmatched_payments")).toBe(0);
  },
);

test("however often it is scraped, the database is asked once in five seconds", async () => {
  const figures = await open();
  await figures.refresh();
  const asked = await asksOf("metrics");
  for (let n = 0; n < 20; n += 1) await figures.refresh();
  expect(await asksOf("metrics")).toBe(asked);
});

const asksOf = (pool: string) => valueOf("kickabout_db_statement_duration_seconds_count", { pool });

test("a query that is wrong is no outage, and is logged", async () => {
  const error = vi.spyOn(log, "error").mockImplementation(() => {});
  const figures = await open(database.connection, 0);
  await database.pool.query("alter table stripe_events rename to events_away");
  await figures.refresh();
  await database.pool.query("alter table events_away rename to stripe_events");
  expect(await valueOf("kickabout_database_up")).toBe(1);
  expect(await valueOf("kickabout_unmatched_payments")).toBeUndefined();
  expect(error).toHaveBeenCalledOnce();
});

test("a ledger that cannot be checked keeps its last result, whose age shows it", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const proxy = await startSilentProxy(database.connection);
  ends.push(proxy.close);
  const figures = await open(proxy.connection);
  await figures.checkLedger();
  const checkedAt = await valueOf("kickabout_ledger_checked_timestamp_seconds");
  proxy.closeAll();
  await figures.checkLedger();
  expect(await valueOf("kickabout_ledger_differences")).toBe(0);
  expect(await valueOf("kickabout_ledger_checked_timestamp_seconds")).toBe(checkedAt);
  expect(warn).toHaveBeenCalledOnce();
});
