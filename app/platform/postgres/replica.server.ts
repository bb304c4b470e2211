import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { DATABASE_ID, type Db, isDatabaseAway, openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Limits } from "./bounded-pool.server.ts";

/** Reads from it are at most this old; browsers that have just sent a form avoid it for longer. */
export const MOST_LAG_MS = 2_000;
const BEAT_MS = 500;
const POLL_MS = 20;
/** One that is slow keeps up with the log, and would make every page wait. */
const LEFT_MS = 10_000;
/** By then it is used, or the log says why not. */
const START_MS = 5_000;

/** Leaves the primary time to answer within the request's 4.2 s. */
const LIMITS: Limits = {
  connectMs: 500,
  statementMs: 1_500,
  lockMs: 1_500,
  idleInTransactionMs: 1_500,
};

export type Replica = ReturnType<typeof openReplica>;

/** The primary, by who asks it. */
interface Primary {
  /** In place of the replica: as many as requests may be. */
  requests: Db;
  /** For its position, which many requests must not keep from being read. */
  work: Db;
}

/** A streaming replica for what may be seconds old; the primary answers where it cannot. */
export function openReplica(url: string, primary: Primary, max: number) {
  const { db, pool, close } = openDatabase({ connectionString: url }, max, LIMITS, "replica");
  const openedAt = performance.now();
  let freshAt = -Infinity;
  let leftUntil = -Infinity;
  let wasUsed: boolean | undefined;
  let failure: unknown;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const isUsed = () => {
    const now = performance.now();
    return now - freshAt < MOST_LAG_MS && now >= leftUntil;
  };
  const leave = (error: unknown) => {
    failure = error;
    leftUntil = performance.now() + LEFT_MS;
  };

  async function follow() {
    const askedAt = performance.now();
    const isLate = () => performance.now() - askedAt >= MOST_LAG_MS;
    try {
      const position = await readPosition(primary.work);
      while (!isLate()) {
        if (await hasReached(db, position)) return void (freshAt = Math.max(freshAt, askedAt));
        await delay(POLL_MS);
      }
    } catch (error) {
      failure = error;
    }
  }

  /** Until it has all that the primary has now, or is out of use. */
  function catchUp(): Promise<void> {
    if (!running) return (running = follow().finally(() => (running = null)));
    // A check that has begun may have missed the latest commit.
    return (next ??= running.then(() => {
      next = null;
      return catchUp();
    }));
  }

  const beat = setInterval(() => {
    void catchUp();
    const isStarting = wasUsed === undefined && performance.now() - openedAt < START_MS;
    if (isUsed() === wasUsed || (isStarting && !isUsed())) return;
    wasUsed = isUsed();
    if (wasUsed) log.info(BACK);
    else log.warn({ err: failure }, OUT);
    failure = undefined;
  }, BEAT_MS).unref();

  return {
    pool,
    /** Resolves once what is read here is no older than this moment. */
    untilCurrent: async () => (isUsed() ? catchUp() : undefined),
    async read<T>(ask: (db: Db) => Promise<T>): Promise<T> {
      if (!isUsed()) return ask(primary.requests);
      try {
        return await ask(db);
      } catch (error) {
        // Others would also wait for it.
        if (isDatabaseAway(error)) leave(error);
        const answer = await ask(primary.requests);
        // The question was right.
        leave(error);
        return answer;
      }
    },
    async close() {
      clearInterval(beat);
      await close();
    },
  };
}

const OUT = "the replica is down, wrong, slow or too far behind: the primary answers";
const BACK = "the replica answers";

interface Position {
  lsn: string;
  database: string;
}

async function readPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select pg_current_wal_lsn()::text as lsn, ${DATABASE_ID} as database`.execute(db);
  return rows[0]!;
}

async function hasReached(db: Db, { lsn, database }: Position): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean; database: string }>`
    select coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "isThere",
      ${DATABASE_ID} as database`.execute(db);
  if (rows[0]!.database === database) return rows[0]!.isThere;
  throw new Error("DATABASE_REPLICA_URL is no replica of the database of DATABASE_URL");
}
