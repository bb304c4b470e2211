import { sql } from "kysely";
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import type pg from "pg";
import type { Db, Tx } from "./db.server.ts";
import { describeError, log } from "./log.server.ts";

/** Every queue and what its jobs carry: ids and tokens only, the rest is read when the job runs. */
export interface JobData {
  "mail.confirm-address": { userId: string; token: string };
  "mail.account-exists": { userId: string };
  "mail.reset-password": { userId: string; token: string };
  "mail.account-security": { userId: string; change: SecurityChange; eventId: string };
  "mail.booking-confirmed": { bookingId: string };
  "mail.booking-cancelled": { bookingId: string };
  "mail.game-cancelled": { bookingId: string };
  "mail.added-to-game": { bookingId: string };
  "mail.removed-from-game": { bookingId: string };
  "mail.game-message": { messageId: string; bookingId: string };
  /** How the game was and became: it may change again before anybody reads it. */
  "mail.game-changed": {
    bookingId: string;
    version: number;
    before: GameFacts;
    after: GameFacts;
  };
  "mail.support-message": { messageId: string };
  "mail.review": { reviewId: string };
  "mail.withdrawal": { withdrawalId: string };
  "mail.answer": { answerId: string };
  /** The one job that carries an address: when it runs, no table holds it any more. */
  "mail.account-deleted": { userId: string; email: string; firstName: string };
}
/** What changed about how an account is signed in to. */
export type SecurityChange =
  | "two-factor-on"
  | "two-factor-off"
  | "two-factor-reset"
  | "recovery-codes"
  | "recovery-code-used";
/** What matters of a game to who plays it, times as "HH:MM" by Helsinki's clock. */
export interface GameFacts {
  date: string;
  startTime: string;
  endTime: string;
  venueId: string;
  maxPlayers: number;
  isFirstSessionFree: boolean;
}
export type Queue = keyof JobData;
export type JobHandlers = { [Q in Queue]: (data: JobData[Q]) => Promise<void> };

const QUEUES: Queue[] = [
  "mail.confirm-address",
  "mail.account-exists",
  "mail.reset-password",
  "mail.account-security",
  "mail.booking-confirmed",
  "mail.booking-cancelled",
  "mail.game-cancelled",
  "mail.game-changed",
  "mail.added-to-game",
  "mail.removed-from-game",
  "mail.game-message",
  "mail.support-message",
  "mail.review",
  "mail.withdrawal",
  "mail.answer",
  "mail.account-deleted",
];

/** Longer than a mail can take (mail.server.ts): what hangs is given up and tried again. */
const JOB_SECONDS = 300;
/** A process says twice as often that it works on a job; what a dead one had is tried again. */
const HEARTBEAT_SECONDS = 30;

// A job is tried for a day: a mail server may be away for a night. Jobs that are done go about an
// hour later: some carry the token of a link.
const QUEUE_OPTIONS = {
  expireInSeconds: JOB_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 32,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3_600,
  deleteAfterSeconds: 3_600,
};

const NOBODYS_JOB = "00000000-0000-0000-0000-000000000000";

export interface Jobs {
  /** Adds a job on the caller's transaction: it exists exactly when the deed is committed. */
  enqueue<Q extends Queue>(tx: Tx, queue: Q, data: JobData[Q]): Promise<void>;
  /** Starts working; a job runs at least once, so handlers repeat safely. */
  work(handlers: JobHandlers): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the queue tables where they are missing (under pg-boss's own lock) and opens them. */
export async function openJobs(pool: pg.Pool): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    // Nothing runs by the clock.
    schedule: false,
    // How often jobs without a heartbeat are looked for.
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    // How often jobs that are done are looked for.
    maintenanceIntervalSeconds: 600,
  });
  boss.on("error", (error) => log.error({ err: error }, "jobs"));
  await boss.start();
  for (const queue of QUEUES) {
    await boss.createQueue(queue, QUEUE_OPTIONS);
    // One that an earlier version made has that version's options.
    await boss.updateQueue(queue, QUEUE_OPTIONS);
    // The first use of a queue looks it up through the pool. Inside a transaction it would wait for
    // a connection while those who wait for that transaction hold them all.
    await boss.findJobs(queue, { id: NOBODYS_JOB });
  }
  return {
    async enqueue(tx, queue, data) {
      await boss.send(queue, data, { db: fromKysely(tx) });
    },
    async work(handlers) {
      for (const queue of QUEUES) {
        const handle = handlers[queue] as (data: object) => Promise<void>;
        await boss.work<object, object, typeof WORK_OPTIONS>(queue, WORK_OPTIONS, (batch) =>
          Promise.all(batch.map((job) => settle(queue, job, handle))),
        );
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 2_000 }),
  };
}

// Each queue asks by itself, also when nobody is there: what a mail waits is what an idle site costs.
// A full batch is followed by the next at once; each job succeeds or fails for itself.
const WORK_OPTIONS = {
  pollingIntervalSeconds: 1,
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
} as const;

async function settle(
  queue: Queue,
  { id, data, retryCount, retryLimit }: JobWithMetadata<object>,
  handle: (data: object) => Promise<void>,
): Promise<JobResult> {
  try {
    await handle(data);
    return { id, status: "completed" };
  } catch (error) {
    const isLast = retryCount >= retryLimit;
    log.error({ err: error, queue, id }, isLast ? "job given up" : "job failed, to be tried again");
    return { id, status: "failed", output: describeError(error) };
  }
}

/** Forgets every job that waits: for the demo world, whose bookings are nobody's news. */
export async function discardWaitingJobs(db: Db): Promise<void> {
  await sql`delete from pgboss.job where state in ('created', 'retry')`.execute(db);
}
