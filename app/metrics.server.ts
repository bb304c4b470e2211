import type pg from "pg";
import { checkBooks } from "#app/features/bookings/check-books.server.ts";
import { countUnmatchedEvents } from "#app/features/wallet/unmatched-events.server.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { type Database, type Db, isDatabaseAway, pingDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import type { Limits } from "#app/platform/postgres/bounded-pool.server.ts";
import { gauges, storedGauges } from "#app/platform/watch/metrics.server.ts";
import { countGivenUp, listQueueFigures } from "#app/platform/watch/queue-figures.server.ts";

interface Sources {
  pools: Record<string, pg.Pool>;
  /** Connections of its own: those of the others may be taken. */
  openForMetrics(limits: Limits): Database;
  /** Of a process that serves pages. */
  live: { count(): number } | undefined;
  freshMs?: number;
}

/** However often somebody scrapes, the database is asked once in that time. */
const FRESH_MS = 5_000;
/** A scrape answers while the database does not. */
const WAIT_MS = 2_000;
const LEDGER_MS = 15 * 60_000;
const MOST_EVENTS = 1_000;

const LIMITS = { connectMs: 800, statementMs: 900, lockMs: 900, idleInTransactionMs: 900 };
const LEDGER_LIMITS = { ...LIMITS, statementMs: 30_000, idleInTransactionMs: 30_000 };

/** Keeps the gauges current: those of the process at each scrape, the others by SQL. */
export function createFigures({ pools, openForMetrics, live, freshMs = FRESH_MS }: Sources) {
  const { db, close } = openForMetrics(LIMITS);
  let readAt = -Infinity;
  let reading: Promise<void> = Promise.resolve();
  const checkLedger = () => countDifferences(openForMetrics(LEDGER_LIMITS));
  const checking = setInterval(checkLedger, LEDGER_MS).unref();
  return {
    checkLedger,
    async refresh() {
      readPools(pools);
      gauges.liveStreams.set(live?.count() ?? 0);
      if (performance.now() - readAt >= freshMs) {
        readAt = performance.now();
        reading = readDatabase(db);
      }
      await Promise.race([reading, waited()]);
    },
    async close() {
      clearInterval(checking);
      await close();
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
    await readStored(db);
    gauges.databaseUp.set(1);
  } catch (error) {
    const isAway = isDatabaseAway(error);
    gauges.databaseUp.set(isAway ? 0 : 1);
    forgetStored();
    if (!isAway) log.error({ err: error }, "metrics");
  }
}

const KINDS = new Set(Object.keys(QUEUES).map((queue) => queue.split(".", 1)[0]!));

async function readStored(db: Db): Promise<void> {
  const queues = await listQueueFigures(db);
  for (const kind of KINDS) {
    const none = { waiting: 0, running: 0, failing: 0, oldestSeconds: 0 };
    const found = queues.find((queue) => queue.kind === kind) ?? none;
    for (const state of ["waiting", "running", "failing"] as const) {
      storedGauges.jobs.set({ kind, state }, found[state]);
    }
    storedGauges.oldestJob.set({ kind }, found.oldestSeconds);
  }
  storedGauges.mailsGivenUp.set(await countGivenUp(db));
  const outage = await findOutage(db);
  storedGauges.mailOutage.set(outage ? (Date.now() - outage.since.getTime()) / 1_000 : 0);
  storedGauges.unmatchedPayments.set(await countUnmatchedEvents(db, MOST_EVENTS));
}

/** Figures of before an outage would say that all is as it was. */
function forgetStored(): void {
  const { jobs, oldestJob, mailsGivenUp, mailOutage, unmatchedPayments } = storedGauges;
  for (const gauge of [jobs, oldestJob]) gauge.reset();
  for (const gauge of [mailsGivenUp, mailOutage, unmatchedPayments]) gauge.remove();
}

/** The last result stays while the database is away; its age is a figure too. */
async function countDifferences({ db, close }: Database): Promise<void> {
  try {
    const { differences } = await checkBooks(db);
    storedGauges.ledgerDifferences.set(differences.length);
    storedGauges.ledgerCheckedAt.setToCurrentTime();
  } catch (error) {
    log.warn({ err: error }, "ledger not checked");
  } finally {
    await close();
  }
}
