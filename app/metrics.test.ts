import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { startSilentProxy } from "#test/database-proxies.ts";
import { readScrape } from "#test/scrapes.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { registry, storedGauges } from "#app/platform/observability/metrics.server.ts";
import { createMetrics } from "./metrics.server.ts";

const database = useDatabase();

function once(end: () => Promise<void>) {
  let ended: Promise<void> | undefined;
  return () => (ended ??= end());
}
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

async function open(
  connection = database.connection,
  freshMs?: number,
  { checksLedger = true } = {},
) {
  const metrics = createMetrics({
    pools: { requests: database.pool },
    openForMetrics: (limits) => openDatabase(connection, 1, limits, "metrics"),
    live: { count: () => 0, countVisitors: () => 0 },
    checksLedger,
    ...(freshMs !== undefined && { freshMs }),
  });
  const close = once(metrics.close);
  ends.push(close);
  return { ...metrics, close };
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
    const metrics = await open(proxy.connection, 0);
    ends.push(proxy.close);
    await metrics.refresh();
    expect(await valueOf("kickabout_database_up")).toBe(1);
    expect(await valueOf("kickabout_unmatched_payments")).toBe(0);
    if (how === "closed") proxy.closeAll();
    else proxy.silenceAll();
    await metrics.refresh();
    expect(await valueOf("kickabout_database_up")).toBe(0);
    expect(await valueOf("kickabout_unmatched_payments")).toBeUndefined();
    expect(await valueOf("kickabout_jobs", { kind: "mail" })).toBeUndefined();
    expect(await valueOf("kickabout_db_pool_max")).toBeGreaterThan(0);
    proxy.letThrough();
    await vi.waitFor(async () => {
      await metrics.refresh();
      expect(await valueOf("kickabout_database_up")).toBe(1);
    });
    expect(await valueOf("kickabout_unmatched_payments")).toBe(0);
  },
);

test("however often it is scraped, the database is asked once in five seconds", async () => {
  const metrics = await open();
  await metrics.refresh();
  const asked = await asksOf("metrics");
  for (let n = 0; n < 20; n += 1) await metrics.refresh();
  expect(await asksOf("metrics")).toBe(asked);
});

const asksOf = (pool: string) => valueOf("kickabout_db_statement_duration_seconds_count", { pool });

test("a query that is wrong is no outage, and is logged", async () => {
  const error = vi.spyOn(log, "error").mockImplementation(() => {});
  const metrics = await open(database.connection, 0);
  await database.pool.query("alter table stripe_events rename to events_away");
  await metrics.refresh();
  await database.pool.query("alter table events_away rename to stripe_events");
  expect(await valueOf("kickabout_database_up")).toBe(1);
  expect(await valueOf("kickabout_unmatched_payments")).toBeUndefined();
  expect(error).toHaveBeenCalledOnce();
});

test("a ledger that cannot be checked keeps its last result, whose age shows it", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const proxy = await startSilentProxy(database.connection);
  ends.push(proxy.close);
  const metrics = await open(proxy.connection);
  await metrics.checkLedger();
  const checkedAt = await valueOf("kickabout_ledger_checked_timestamp_seconds");
  proxy.closeAll();
  await metrics.checkLedger();
  expect(await valueOf("kickabout_ledger_differences")).toBe(0);
  expect(await valueOf("kickabout_ledger_checked_timestamp_seconds")).toBe(checkedAt);
  expect(warn).toHaveBeenCalledOnce();
});

test("a metric that is slow is absent alone, and the database is up", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const metrics = await open(database.connection, 0);
  await metrics.refresh();
  const locker = await lock("stripe_events");
  await metrics.refresh();
  await untilUnread(1);
  expect(await valueOf("kickabout_database_up")).toBe(1);
  expect(await valueOf("kickabout_unmatched_payments")).toBeUndefined();
  expect(await valueOf("kickabout_mails_given_up")).toBe(0);
  expect(await valueOf("kickabout_mail_outage_seconds")).toBe(0);
  expect(await valueOf("kickabout_jobs", { kind: "mail", state: "waiting" })).toBe(0);
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ figure: "unmatchedPayments" }), "figure not read"],
  ]);
  locker.release(true);
  await metrics.refresh();
  await untilUnread(0);
  expect(await valueOf("kickabout_unmatched_payments")).toBe(0);
});

test("a reading that takes long is not begun again by the next scrape", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const metrics = await open(database.connection, 0);
  await metrics.refresh();
  const locker = await lock("stripe_events");
  const asked = Number(await asksOf("metrics"));
  await Promise.all([metrics.refresh(), metrics.refresh(), metrics.refresh()]);
  await untilUnread(1);
  expect(await asksOf("metrics")).toBe(asked + 1 + STORED_COUNT);
  locker.release(true);
});

const STORED_COUNT = 4;

/** A scrape does not wait for a reading longer than two seconds. */
const untilUnread = (count: number) =>
  vi.waitFor(async () => expect(await valueOf("kickabout_figures_unread")).toBe(count));

/** Nobody else reads the table until the connection is released. */
async function lock(table: string) {
  const client = await database.pool.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return client;
}

test("a process that only serves pages does not check the ledger", async () => {
  storedGauges.ledgerDifferences.remove();
  const metrics = await open(database.connection, 0, { checksLedger: false });
  await metrics.checkLedger();
  await metrics.refresh();
  expect(await valueOf("kickabout_ledger_differences")).toBeUndefined();
  await (await open()).checkLedger();
  expect(await valueOf("kickabout_ledger_differences")).toBe(0);
});

test("a stop breaks off the check of the ledger and waits for its end", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const metrics = await open();
  const locker = await lock("wallet_transactions");
  let isOver = false;
  const check = metrics.checkLedger().then(() => (isOver = true));
  const waiting = `select from pg_stat_activity where datname = current_database()
    and application_name like 'kickabout-metrics-%' and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => {
    expect((await database.pool.query(waiting)).rowCount).toBe(1);
  });
  await metrics.close();
  expect(isOver).toBe(true);
  await check;
  expect(warn).not.toHaveBeenCalled();
  locker.release(true);
});
