import type pg from "pg";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { countUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { type Database, type Db, isDatabaseAway, pingDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { BoundedClient, type Limits } from "#app/platform/postgres/bounded-pool.server.ts";
import { gauges, storedGauges } from "#app/platform/observability/metrics.server.ts";
import {
  countGivenUp,
  listQueueMetrics,
} from "#app/platform/observability/queue-metrics.server.ts";

interface Sources {
  pools: Record<string, pg.Pool>;
  /** For connections of its own, since the other pools' may all be taken. */
  openForMetrics(limits: Limits): Database;
  live: { count(): number; countVisitors(): number } | undefined;
  /** Reads the whole ledger: not in a process that only serves pages. */
  checksLedger: boolean;
  freshMs?: number;
}

/** However often it is scraped, the database is asked once in this time. */
const FRESH_MS = 5_000;
/** A scrape is answered in this time, even if the database is slow or down. */
const WAIT_MS = 2_000;
const LEDGER_MS = 15 * 60_000;
const MOST_EVENTS = 1_000;

const LIMITS = { connectMs: 800, statementMs: 900, lockMs: 900, idleInTransactionMs: 900 };
const LEDGER_LIMITS = { ...LIMITS, statementMs: 30_000, idleInTransactionMs: 30_000 };

/** Reads the process's own metrics at each scrape, the others by SQL. */
export function createMetrics(sources: Sources) {
  const { pools, openForMetrics, live, checksLedger, freshMs = FRESH_MS } = sources;
  const { db, close } = openForMetrics(LIMITS);
  const ledger = checksLedger ? createLedgerCheck(openForMetrics) : null;
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  return {
    async checkLedger() {
      await ledger?.check();
    },
    async refresh() {
      readPools(pools);
      gauges.liveStreams.set(live?.count() ?? 0);
      gauges.visitorStreams.set(live?.countVisitors() ?? 0);
      if (!reading && performance.now() - readAt >= freshMs) {
        readAt = performance.now();
        reading = readDatabase(db).finally(() => (reading = null));
      }
      await Promise.race([reading, waited()]);
    },
    async close() {
      await Promise.all([ledger?.close(), close()]);
    },
  };
}

const waited = () => new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS).unref());

function readPools(pools: Record<string, pg.Pool>): void {
  for (const [name, pool] of Object.entries(pools)) {
    const labels = { pool: name };
    gauges.poolConnections.set({ ...labels, state: "used" }, pool.totalCount - pool.idleCount);
    gauges.poolConnections.set({ ...labels, state: "idle" }, pool.idleCount);
    gauges.poolWaiting.set(labels, pool.waitingCount);
    gauges.poolMax.set(labels, pool.options.max);
  }
}

async function readDatabase(db: Db): Promise<void> {
  try {
    await pingDatabase(db);
    gauges.databaseUp.set(1);
  } catch (error) {
    gauges.databaseUp.set(0);
    // Metrics from before an outage would look as if all were well.
    for (const metric of STORED) metric.clear();
    storedGauges.metricsUnread.remove();
    if (!isDatabaseAway(error)) log.error({ err: error }, "metrics");
    return;
  }
  const unread = await readStored(db);
  storedGauges.metricsUnread.set(unread);
}

/** A metric that fails is left out; the others stay. */
async function readStored(db: Db): Promise<number> {
  let unread = 0;
  for (const { name, read, clear } of STORED) {
    try {
      await read(db);
    } catch (error) {
      unread += 1;
      clear();
      log[isDatabaseAway(error) ? "warn" : "error"](
        { err: error, figure: name },
        "figure not read",
      );
    }
  }
  return unread;
}

interface Stored {
  name: string;
  read(db: Db): Promise<void>;
  clear(): void;
}

const { jobs, oldestJob } = storedGauges;

const STORED: Stored[] = [
  { name: "jobs", read: readJobs, clear: () => (jobs.reset(), oldestJob.reset()) },
  single("mailsGivenUp", countGivenUp),
  single("mailOutage", async (db) => {
    const outage = await findOutage(db);
    return outage ? (Date.now() - outage.since.getTime()) / 1_000 : 0;
  }),
  single("unmatchedPayments", (db) => countUnmatchedEvents(db, MOST_EVENTS)),
];

function single(
  name: "mailsGivenUp" | "mailOutage" | "unmatchedPayments",
  find: (db: Db) => Promise<number>,
): Stored {
  const gauge = storedGauges[name];
  return { name, read: async (db) => gauge.set(await find(db)), clear: () => gauge.remove() };
}

const KINDS = new Set(Object.keys(QUEUES).map((queue) => queue.split(".", 1)[0]!));

async function readJobs(db: Db): Promise<void> {
  const queues = await listQueueMetrics(db);
  for (const kind of KINDS) {
    const none = { waiting: 0, running: 0, failing: 0, oldestSeconds: 0 };
    const found = queues.find((queue) => queue.kind === kind) ?? none;
    for (const state of ["waiting", "running", "failing"] as const) {
      jobs.set({ kind, state }, found[state]);
    }
    oldestJob.set({ kind }, found.oldestSeconds);
  }
}

/** One at a time, each on its own connection. Stopping breaks off the running one. */
function createLedgerCheck(openForMetrics: Sources["openForMetrics"]) {
  const stop = new AbortController();
  let checking: Promise<void> | null = null;
  const check = () =>
    (checking ??= countDifferences(openForMetrics(LEDGER_LIMITS), stop.signal).finally(
      () => (checking = null),
    ));
  const timer = setInterval(check, LEDGER_MS).unref();
  return {
    check,
    async close() {
      clearInterval(timer);
      stop.abort();
      await checking;
    },
  };
}

/** The last result stays while the database is down; its age is a metric too. */
async function countDifferences(database: Database, stopped: AbortSignal): Promise<void> {
  const { db, pool, close } = database;
  pool.on("connect", (client) => {
    const end = () => client instanceof BoundedClient && void client.end();
    if (stopped.aborted) return end();
    stopped.addEventListener("abort", end);
    client.once("end", () => stopped.removeEventListener("abort", end));
  });
  try {
    const { differences } = await checkBooks(db);
    storedGauges.ledgerDifferences.set(differences.length);
    storedGauges.ledgerCheckedAt.setToCurrentTime();
  } catch (error) {
    if (!stopped.aborted) log.warn({ err: error }, "ledger not checked");
  } finally {
    await close();
  }
}
