import { CompiledQuery, sql } from "kysely";
import type pg from "pg";
import { fromKysely, type JobResult, PgBoss, type QueueOptions } from "pg-boss";
import { type Db, isDatabaseAway, sendTogether, type Tx } from "./db.server.ts";
import { describeError, log } from "./log.server.ts";
import { MailError } from "./mail-outage.server.ts";
import { type Job, workOnBatch } from "./job-batch.server.ts";
import { openToken, sealToken } from "./job-tokens.server.ts";
import type { NoticeData, NoticeJob, NoticeKind } from "./notices.ts";
import { type Listener, listenTo } from "./postgres/listener.server.ts";
import { EACH } from "./observability/repeats.server.ts";
import { FAILED } from "./waiting-mails.server.ts";
import { inNewSpan } from "./observability/traces.server.ts";

// Each feature adds its queues. They carry ids; personal data only where failed jobs are deleted. A
// field called `token` is encrypted.
export interface JobData {
  /** Emails of all kinds, except those that have a queue of their own. */
  "mail.send": NoticeJob;
}
export type Queue = keyof JobData;
export type JobHandlers = { [Q in Queue]: (data: JobData[Q]) => Promise<void> };
/** Per queue: whether a job that has failed for good is kept for admins or deleted. */
export type Queues = Record<Queue, "keep" | "delete">;

/** Longer than sending a mail can take (mail.server.ts). */
const JOB_SECONDS = 300;
const HEARTBEAT_SECONDS = 30;

/** A mail server may be down for a day, counted from when an email was queued. */
const GIVEN_UP_AFTER_MS = 86_400_000;
const KEPT_SECONDS = 30 * 86_400;

// mail-outage.server.ts decides how often an unreachable mail server is tried.
const QUEUE_OPTIONS = {
  expireInSeconds: JOB_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // More than fit into a day: a job has failed by age, not by count.
  retryLimit: 10_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 3_600,
};

const URGENT = "urgent_jobs";
const NOBODYS_JOB = "00000000-0000-0000-0000-000000000000";

/** Urgent jobs wake the workers, which makes their commits wait for each other. */
type JobTime = { delaySeconds?: number; isFirst?: boolean; isUrgent?: boolean };

/** Within a queue: what is queued for many at once keeps no single one waiting. */
const [FIRST, MANY] = [1, -1];

export type Jobs = Awaited<ReturnType<typeof openQueues>>;

export async function createQueues(pool: pg.Pool, queues: Queues): Promise<void> {
  const boss = await openBoss(pool, queues);
  await boss.stop();
}

export async function openQueues(pool: pg.Pool, secret: string, queues: Queues) {
  const boss = await openBoss(pool, queues);
  let listener: Listener | undefined;
  let stopPolling = () => {};
  /** On the caller's transaction. The workers look every 2 s. */
  async function enqueueAll<Q extends Queue>(
    tx: Tx,
    queue: Q,
    jobs: JobData[Q][],
    { delaySeconds = 0, isFirst = false, isUrgent = false }: JobTime = {},
  ): Promise<void> {
    if (jobs.length === 0) return;
    const all = jobs.map((data) => sealToken(secret, data));
    const insert = await insertOf(boss, queue, all, { delaySeconds, isFirst });
    const wake = isUrgent ? [sql`select pg_notify(${URGENT}, ${queue})`] : [];
    await sendTogether(tx, insert, ...wake);
  }
  const queueOf = (kind: NoticeKind) =>
    Object.hasOwn(queues, `mail.${kind}`) ? (`mail.${kind}` as Queue) : "mail.send";
  return {
    /** Builds a statement, to be sent together with what it is about. */
    toEnqueueEmail: <K extends NoticeKind>(kind: K, data: NoticeData[K]) =>
      insertOf(boss, queueOf(kind), [sealToken(secret, { kind, ...data })]),
    enqueueEmails: <K extends NoticeKind>(
      tx: Tx,
      kind: K,
      emails: NoticeData[K][],
      when?: JobTime,
    ): Promise<void> => {
      const jobs = emails.map((data) => ({ kind, ...data }) as NoticeJob);
      return enqueueAll(tx, queueOf(kind), jobs, when);
    },
    enqueue: <Q extends Queue>(tx: Tx, queue: Q, data: JobData[Q], when?: JobTime) =>
      enqueueAll(tx, queue, [data], when),
    enqueueAll,
    async retryFailed(tx: Tx, id: string) {
      return (await boss.redrive(FAILED, { ids: [id], db: fromKysely(tx) })) > 0;
    },
    async work(handlers: JobHandlers, { everySeconds = 2 } = {}) {
      const workers = await startWorkers(boss, secret, handlers);
      const wake = (queue: string) => boss.notifyWorker(workers.get(queue) ?? "");
      stopPolling = pollDueQueues(boss, [...workers.keys()], { wake, everySeconds });
      listener = listenTo(pool, {
        onListening: () => workers.forEach((_, queue) => wake(queue)),
        onPayload: { [URGENT]: wake },
      });
    },
    async stop() {
      stopPolling();
      await listener?.close();
      await boss.stop({ graceful: true, timeout: 2_000 });
    },
  };
}

async function insertOf(boss: PgBoss, queue: Queue, jobs: object[], when: JobTime = {}) {
  let insert: CompiledQuery = CompiledQuery.raw("");
  const executeSql = async (text: string, values?: unknown[]) => {
    insert = CompiledQuery.raw(text, values);
    return { rows: [{}] };
  };
  const { delaySeconds: startAfter = 0, isFirst } = when;
  const priority = isFirst ? FIRST : jobs.length > 1 ? MANY : 0;
  const rows = jobs.map((data) => ({ data, startAfter, priority }));
  await boss.insert(queue, rows, { db: { executeSql } });
  return { compile: () => insert };
}

async function openBoss(pool: pg.Pool, queues: Queues): Promise<PgBoss> {
  const outage = createOutageLog();
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const result = await pool.query(text, values);
        outage.isOver();
        return result;
      },
    },
    schedule: false,
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    // For jobs that wait for other jobs, of which we have none.
    flowIntervalSeconds: HEARTBEAT_SECONDS,
    maintenanceIntervalSeconds: 600,
  });
  boss.on("error", (error) => {
    if (isDatabaseAway(error)) outage.goesOn(error);
    else log.error({ err: error }, "jobs");
  });
  try {
    await boss.start();
    await openEach(boss, queues);
    return boss;
  } catch (error) {
    // Its timers would keep a command from ending.
    await boss.stop({ graceful: false });
    throw error;
  }
}

async function openEach(boss: PgBoss, queues: Queues) {
  await openQueue(boss, FAILED, { retentionSeconds: KEPT_SECONDS });
  for (const [queue, givenUp] of Object.entries(queues)) {
    const deadLetter = givenUp === "keep" ? { deadLetter: FAILED } : {};
    await openQueue(boss, queue, { ...QUEUE_OPTIONS, ...deadLetter });
  }
}

async function openQueue(boss: PgBoss, queue: string, options: QueueOptions) {
  await boss.createQueue(queue, options);
  // A queue created by an earlier version still has its options.
  await boss.updateQueue(queue, options);
  // No job's id: pg-boss keeps the queue's facts in memory, and has no other public call that reads
  // them. Through the pool: inside a transaction it could deadlock.
  await boss.findJobs(queue, { id: NOBODYS_JOB });
}

interface Poll {
  wake(queue: string): void;
  everySeconds: number;
}

/** One query for all queues: otherwise each idle worker would send one a second. */
function pollDueQueues(boss: PgBoss, queues: string[], { wake, everySeconds }: Poll) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const poll = async () => {
    try {
      const { rows } = await boss.getDb().executeSql(DUE_QUEUES, [queues]);
      for (const { queue } of rows as { queue: string }[]) wake(queue);
    } catch (error) {
      boss.emit("error", error as Error);
    }
    if (!isStopped) timer = setTimeout(poll, everySeconds * 1_000);
  };
  void poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const DUE_QUEUES = `
  select queue from unnest($1::text[]) as queues (queue)
  where exists (
    select from pgboss.job where name = queue and state < 'active' and start_after <= now())`;

// A full batch is followed by the next at once; each job fails alone.
const WORK_OPTIONS = {
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
  // pollDueQueues wakes them.
  pollingIntervalSeconds: 3_600,
} as const;

async function startWorkers(
  boss: PgBoss,
  secret: string,
  handlers: JobHandlers,
): Promise<Map<string, string>> {
  const workers = new Map<string, string>();
  for (const [queue, handle] of Object.entries<Handle>(handlers)) {
    const worker = await boss.work<object, object, typeof WORK_OPTIONS>(
      queue,
      WORK_OPTIONS,
      (batch) => workOnBatch(boss, batch, (job) => finishJob(secret, job, handle)),
    );
    workers.set(queue, worker);
  }
  return workers;
}

type Handle = (data: never) => Promise<void>;

async function finishJob(secret: string, job: Job, handle: Handle): Promise<JobResult> {
  const { id } = job;
  const queue = nameOf(job);
  const data = openToken(secret, job.data);
  if (!data) {
    log.warn({ queue, id }, "job dropped: its token was sealed with another SESSION_SECRET");
    return { id, status: "completed" };
  }
  try {
    await inNewSpan(queue, () => handle(data as never));
    return { id, status: "completed" };
  } catch (error) {
    const isGivenUp = isRejected(error) || isTooOld(job);
    logFailedJob(error, job, isGivenUp);
    // Terminal for pg-boss, which copies the job into FAILED.
    return { id, status: isGivenUp ? "deadletter" : "failed", output: describeError(error) };
  }
}

/** Name in logs and traces: an email by its kind. */
function nameOf({ name, data }: Job): string {
  return name === "mail.send" && "kind" in data ? `mail.${String(data.kind)}` : name;
}

function isRejected(error: unknown): boolean {
  return error instanceof MailError && error.failure === "rejected";
}

/** Both times are PostgreSQL's: a wrong clock of this machine gives up nothing. */
function isTooOld({ createdOn, startedOn, retryCount, retryLimit }: Job): boolean {
  const ageMs = startedOn.getTime() - createdOn.getTime();
  return retryCount >= retryLimit || ageMs >= GIVEN_UP_AFTER_MS;
}

function logFailedJob(error: unknown, job: Job, isGivenUp: boolean) {
  const isOfMail = error instanceof MailError;
  const why = isOfMail ? { code: error.code, reason: error.message } : { err: error };
  const facts = { ...why, queue: nameOf(job), id: job.id };
  const isUnreachable = isOfMail && error.failure === "unreachable";
  if (isGivenUp) log.error({ ...facts, [EACH]: true }, "job given up");
  else if (job.retryCount === 0 && !isUnreachable)
    log.error(facts, "job failed, to be tried again");
}

/** Polling continues in an outage, so only its start and end are logged. */
function createOutageLog() {
  let isAway = false;
  return {
    goesOn(error: Error) {
      if (!isAway) log.error({ err: error }, "jobs paused: the database does not answer");
      isAway = true;
    },
    isOver() {
      if (isAway) log.info("jobs resumed: the database answers again");
      isAway = false;
    },
  };
}

export async function discardWaitingJobs(db: Db): Promise<void> {
  await sql`delete from pgboss.job where state in ('created', 'retry')`.execute(db);
}
