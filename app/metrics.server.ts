import type pg from "pg";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { countUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { type Database, type Db, isDatabaseAway, pingDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { BoundedClient, type Limits } from "#app/platform/postgres/bounded-pool.server.ts";
import { gauges, storedGauges } from "#app/platform/watch/metrics.server.ts";
import { countGivenUp, listQueueFigures } from "#app/platform/watch/queue-figures.server.ts";

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

/** Reads the process's own figures at each scrape, the others by SQL. */
export function createFigures(sources: Sources) {
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
    // Figures from before an outage would look as if all were well.
    for (const figure of STORED) figure.forget();
    storedGauges.figuresUnread.remove();
    if (!isDatabaseAway(error)) log.error({ err: error }, "metrics");
    return;
  }
  const unread = await readStored(db);
  storedGauges.figuresUnread.set(unread);
}

/** A figure that fails is left out; the others stay. */
async function readStored(db: Db): Promise<number> {
  let unread = 0;
  for (const { figure, read, forget } of STORED) {
    try {
      await read(db);
    } catch (error) {
      unread += 1;
      forget();
      log[isDatabaseAway(error) ? "warn" : "error"]({ err: error, figure }, "figure not read");
    }
  }
  return unread;
}

interface Stored {
  figure: string;
  read(db: Db): Promise<void>;
  forget(): void;
}

const { jobs, oldestJob } = storedGauges;

const STORED: Stored[] = [
  { figure: "jobs", read: readJobs, forget: () => (jobs.reset(), oldestJob.reset()) },
  single("mailsGivenUp", countGivenUp),
  single("mailOutage", async (db) => {
    const outage = await findOutage(db);
    return outage ? (Date.now() - outage.since.getTime()) / 1_000 : 0;
  }),
  single("unmatchedPayments", (db) => countUnmatchedEvents(db, MOST_EVENTS)),
];

function single(
  figure: "mailsGivenUp" | "mailOutage" | "unmatchedPayments",
  find: (db: Db) => Promise<number>,
): Stored {
  const gauge = storedGauges[figure];
  return { figure, read: async (db) => gauge.set(await find(db)), forget: () => gauge.remove() };
}

const KINDS = new Set(Object.keys(QUEUES).map((queue) => queue.split(".", 1)[0]!));

async function readJobs(db: Db): Promise<void> {
  const queues = await listQueueFigures(db);
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

/** The last result stays while the database is down; its age is a figure too. */
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
