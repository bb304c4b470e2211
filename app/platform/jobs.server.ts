import { sql } from "kysely";
import type pg from "pg";
import {
  fromKysely,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type QueueOptions,
} from "pg-boss";
import { type Db, isDatabaseAway, type Tx } from "./db.server.ts";
import { describeError, log } from "./log.server.ts";
import { MailError } from "./mail-outage.server.ts";
import { open, seal } from "./seal.server.ts";

/**
 * Every queue and what its jobs carry: ids and tokens only, the rest is read when the job runs. What
 * is called `token` is encrypted while it is stored.
 */
export interface JobData {
  "mail.confirm-address": { signUpId: string; token: string };
  "mail.account-exists": { userId: string };
  "mail.reset-password": { userId: string; token: string };
  /** `at` (ISO) tells one change from the next. */
  "mail.password-changed": { userId: string; at: string };
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
  /** Without `to`, as it was queued before: to the side that did not end it. */
  "mail.withdrawal-ended": { withdrawalId: string; to?: "player" | "contact" };
  "mail.answer": { answerId: string };
  /** The one job that carries an address: when it runs, no table holds it any more. */
  "mail.account-deleted": {
    userId: string;
    email: string;
    firstName: string;
    debtCents: number;
    /** What cancelled bookings paid of a debt; absent where it was queued before that was told. */
    givenBackCents?: number;
  };
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

export const QUEUES: Queue[] = [
  "mail.confirm-address",
  "mail.account-exists",
  "mail.reset-password",
  "mail.password-changed",
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
  "mail.withdrawal-ended",
  "mail.answer",
  "mail.account-deleted",
];

/** Longer than a mail can take (mail.server.ts): what hangs is given up and tried again. */
const JOB_SECONDS = 300;
/** A process says twice as often that it works on a job; what a dead one had is tried again. */
const HEARTBEAT_SECONDS = 30;

/** A mail server may be away for a night, or a day. */
const GIVEN_UP_AFTER_MS = 86_400_000;
const KEPT_SECONDS = 30 * 86_400;

/** The queue of what was given up, for organisers to decide; nothing works on it. */
export const FAILED = "failed-mails";
/** It carries an address, and nobody is left who could ask for it again. */
const FORGOTTEN: Queue = "mail.account-deleted";

// Jobs that are done, or given up, go about an hour later. What is tried again waits a minute at
// most: how often a server that is away is asked is up to mail-outage.server.ts.
const QUEUE_OPTIONS = {
  expireInSeconds: JOB_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // More than fit into a day: when a job is given up is decided by its age.
  retryLimit: 10_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 3_600,
};

const NOBODYS_JOB = "00000000-0000-0000-0000-000000000000";

export interface Jobs {
  /** Adds a job on the caller's transaction: it exists exactly when the deed is committed. */
  enqueue<Q extends Queue>(
    tx: Tx,
    queue: Q,
    data: JobData[Q],
    when?: { delaySeconds: number },
  ): Promise<void>;
  /** Puts a job that was given up back into its queue; false where it is gone, or back already. */
  retryFailed(tx: Tx, id: string): Promise<boolean>;
  /** Starts working; a job runs at least once, so handlers repeat safely. */
  work(handlers: JobHandlers): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the queue tables where they are missing (under pg-boss's own lock). */
export async function installJobs(pool: pg.Pool): Promise<void> {
  const boss = await openBoss(pool);
  await boss.stop();
}

/** Opens the queues, created where they are missing; `secret` is what tokens are sealed with. */
export async function openJobs(pool: pg.Pool, secret: string): Promise<Jobs> {
  const boss = await openBoss(pool);
  return {
    async enqueue(tx, queue, data, { delaySeconds } = { delaySeconds: 0 }) {
      const when = { startAfter: delaySeconds };
      await boss.send(queue, sealToken(secret, data), { db: fromKysely(tx), ...when });
    },
    async retryFailed(tx, id) {
      return (await boss.redrive(FAILED, { ids: [id], db: fromKysely(tx) })) > 0;
    },
    async work(handlers) {
      for (const queue of QUEUES) {
        const handle = handlers[queue] as Handle;
        await boss.work<object, object, typeof WORK_OPTIONS>(queue, WORK_OPTIONS, (batch) =>
          Promise.all(batch.map((job) => settle(secret, { queue, job, handle }))),
        );
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 2_000 }),
  };
}

async function openBoss(pool: pg.Pool): Promise<PgBoss> {
  const outage = createOutageLog();
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const result = await pool.query(text, values);
        outage.isOver();
        return result;
      },
    },
    // Nothing runs by the clock.
    schedule: false,
    // How often jobs without a heartbeat are looked for.
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    // How often jobs that are done are looked for.
    maintenanceIntervalSeconds: 600,
  });
  boss.on("error", (error) => {
    if (isDatabaseAway(error)) outage.goesOn(error);
    else log.error({ err: error }, "jobs");
  });
  await boss.start();
  await openQueue(boss, FAILED, { retentionSeconds: KEPT_SECONDS });
  for (const queue of QUEUES) {
    const deadLetter = queue === FORGOTTEN ? {} : { deadLetter: FAILED };
    await openQueue(boss, queue, { ...QUEUE_OPTIONS, ...deadLetter });
  }
  return boss;
}

async function openQueue(boss: PgBoss, queue: string, options: QueueOptions) {
  await boss.createQueue(queue, options);
  // One that an earlier version made has that version's options.
  await boss.updateQueue(queue, options);
  // The first use of a queue looks it up through the pool. Inside a transaction it would wait for
  // a connection while those who wait for that transaction hold them all.
  await boss.findJobs(queue, { id: NOBODYS_JOB });
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

type Handle = (data: object) => Promise<void>;

interface Work {
  queue: Queue;
  job: JobWithMetadata<object>;
  handle: Handle;
}

async function settle(secret: string, { queue, job, handle }: Work): Promise<JobResult> {
  const { id } = job;
  const data = openToken(secret, job.data);
  if (!data) {
    log.warn({ queue, id }, "job dropped: its token was sealed with another SESSION_SECRET");
    return { id, status: "completed" };
  }
  try {
    await handle(data);
    return { id, status: "completed" };
  } catch (error) {
    const isGivenUp = isRejected(error) || isTooOld(job);
    logFailure(error, { queue, id, isGivenUp, isFirst: job.retryCount === 0 });
    // Terminal for pg-boss, which copies it into the queue of what was given up.
    return { id, status: isGivenUp ? "deadletter" : "failed", output: describeError(error) };
  }
}

function isRejected(error: unknown): boolean {
  return error instanceof MailError && error.failure === "rejected";
}

function isTooOld({ createdOn, retryCount, retryLimit }: JobWithMetadata<object>): boolean {
  return retryCount >= retryLimit || Date.now() - createdOn.getTime() >= GIVEN_UP_AFTER_MS;
}

interface Failed {
  queue: Queue;
  id: string;
  isGivenUp: boolean;
  isFirst: boolean;
}

/** Each failing job twice: when it fails first and when it is given up. Outages have their own line. */
function logFailure(error: unknown, { queue, id, isGivenUp, isFirst }: Failed) {
  const isOfMail = error instanceof MailError;
  const why = isOfMail ? { code: error.code, reason: error.message } : { err: error };
  if (isGivenUp) log.error({ ...why, queue, id }, "job given up");
  else if (isFirst && !isUnreachable(error)) {
    log.error({ ...why, queue, id }, "job failed, to be tried again");
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof MailError && error.failure === "unreachable";
}

/** Each queue asks every second: an outage is told when it begins and when it is over. */
function createOutageLog() {
  let isAway = false;
  return {
    goesOn(error: Error) {
      if (!isAway) log.error({ err: error }, "jobs wait: the database does not answer");
      isAway = true;
    },
    isOver() {
      if (isAway) log.info("jobs go on: the database answers again");
      isAway = false;
    },
  };
}

/** Forgets every job that waits: for the demo world, whose bookings are nobody's news. */
export async function discardWaitingJobs(db: Db): Promise<void> {
  await sql`delete from pgboss.job where state in ('created', 'retry')`.execute(db);
}

const [LABEL, PREFIX] = ["job token", "sealed:"];

/** A job's data as it is stored: its token, where it has one, cannot be read there. */
export function sealToken<Data extends object>(secret: string, data: Data): Data {
  if (!hasToken(data)) return data;
  return { ...data, token: PREFIX + seal(secret, LABEL, data.token) };
}

/**
 * A stored job's data as its handler gets it; null where the token was sealed with another secret.
 * One that was never sealed, in a job of an earlier version, stays as it is.
 */
export function openToken<Data extends object>(secret: string, data: Data): Data | null {
  if (!hasToken(data) || !data.token.startsWith(PREFIX)) return data;
  const token = open(secret, LABEL, data.token.slice(PREFIX.length));
  return token === null ? null : { ...data, token };
}

function hasToken<Data extends object>(data: Data): data is Data & { token: string } {
  return "token" in data && typeof data.token === "string";
}
