import type pg from "pg";
import { connectWithoutLimits } from "#app/platform/db.server.ts";
import type { BoundedClient } from "./bounded-pool.server.ts";

/** Advisory locks by number; any constants, the same in every process. */
export const LOCKS = { migrations: 7_102_025, backups: 7_102_026, "demo data": 7_102_027 };

const UNLOCK_MS = 5_000;

interface SessionLock {
  lock: keyof typeof LOCKS;
  /** The error where another session has it; without one it is waited for. */
  taken?: string;
}

/** Runs on a connection without time-outs that holds a lock, which is free again afterwards. */
export async function withSessionLock<T>(
  pool: pg.Pool,
  { lock, taken }: SessionLock,
  run: (client: BoundedClient) => Promise<T>,
): Promise<T> {
  const client = await connectWithoutLimits(pool);
  const key = LOCKS[lock];
  try {
    if (taken === undefined) await client.query("select pg_advisory_lock($1)", [key]);
    else await tryLock(client, key, taken);
    try {
      return await run(client);
    } finally {
      client.limitMs = UNLOCK_MS;
      // A connection that is lost, or whose transaction failed, takes the lock with it.
      await client.query("select pg_advisory_unlock($1)", [key]).catch(() => {});
    }
  } finally {
    await client.end();
  }
}

async function tryLock(client: BoundedClient, key: number, taken: string) {
  const { rows } = await client.query<{ isOurs: boolean }>(
    `select pg_try_advisory_lock($1) as "isOurs"`,
    [key],
  );
  if (rows[0]!.isOurs) return;
  const found = await client.query<Holder>(
    `select ${HOLDER} from pg_locks join pg_stat_activity holder using (pid)
    where locktype = 'advisory' and objid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [key],
  );
  throw new Error([taken, ...found.rows.map(describeHolder)].join(": "));
}

interface Holder {
  pid: number;
  application: string | null;
  state: string | null;
  /** When its transaction began, or else when it last did anything. */
  since: string | null;
}

const HOLDER = `holder.pid, holder.application_name as application, holder.state,
  to_json(coalesce(holder.xact_start, holder.state_change)) #>> '{}' as since`;

const describeHolder = ({ pid, application, state, since }: Holder) =>
  `process ${pid} of PostgreSQL (${application || "unnamed"}), ${state} since ${since}`;

export interface LockWait {
  lock: string;
  since: string;
  holders: Holder[];
}

export const describeWait = ({ lock, since, holders }: LockWait) =>
  `Waits since ${since} for ${lock}, held by ${holders.map(describeHolder).join(" and ")}`;

/** What this process waits for: all its connections have one end of their names. */
const WAITS = `
  with own as (select coalesce(
    substring(current_setting('application_name') from '^kickabout-[a-z]+(-.*)$'),
    current_setting('application_name')) as name)
  select locktype as type, objid::bigint as key, relation::regclass::text as relation,
    to_json(waitstart) #>> '{}' as since,
    (select json_agg(one) from (select ${HOLDER} from pg_stat_activity holder
      where holder.pid = any(pg_blocking_pids(waiting.pid))) one) as holders
  from own, pg_stat_activity waiting join pg_locks using (pid)
  where not granted and waitstart < clock_timestamp() - $1 * interval '1 millisecond'
    and right(waiting.application_name, length(own.name)) = own.name`;

interface WaitRow {
  type: string;
  key: number | null;
  relation: string | null;
  since: string;
  holders: Holder[] | null;
}

async function findWaits(client: BoundedClient, minMs: number): Promise<LockWait[]> {
  const { rows } = await client.query<WaitRow>(WAITS, [minMs]);
  return rows.map(({ since, holders, ...row }) => ({
    lock: nameOf(row),
    since,
    holders: holders ?? [],
  }));
}

function nameOf({ type, key, relation }: Pick<WaitRow, "type" | "key" | "relation">): string {
  const known = Object.entries(LOCKS).find(([, number]) => type === "advisory" && number === key);
  if (known) return `the lock of ${known[0]}`;
  return relation ? `table ${relation}` : `a lock (${type})`;
}

const CHECK_MS = 3_000;
const OLD_MS = 1_000;
const REPEAT_MS = 60_000;
const ANSWER_MS = 5_000;

/** Reports what this process waits for at PostgreSQL, and again each minute; returns what ends it. */
export function reportLockWaits(
  pool: pg.Pool,
  report: (wait: LockWait) => void,
  { checkMs = CHECK_MS, oldMs = OLD_MS, repeatMs = REPEAT_MS } = {},
): () => Promise<void> {
  const reportedAt = new Map<string, number>();
  let client: BoundedClient | undefined;
  let checking: Promise<void> | undefined;

  async function check() {
    client ??= await connectWithoutLimits(pool);
    client.limitMs = ANSWER_MS;
    for (const wait of await findWaits(client, oldMs)) {
      const last = reportedAt.get(wait.lock) ?? -Infinity;
      if (performance.now() - last < repeatMs) continue;
      reportedAt.set(wait.lock, performance.now());
      report(wait);
    }
  }

  const timer = setInterval(() => {
    // Where there is no answer, the start or command itself fails and says so.
    checking ??= check()
      .catch(() => {
        void client?.end().catch(() => {});
        client = undefined;
      })
      .finally(() => (checking = undefined));
  }, checkMs).unref();
  return async () => {
    clearInterval(timer);
    await checking;
    const last = client;
    client = undefined;
    await last?.end().catch(() => {});
  };
}
