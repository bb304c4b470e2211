import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { type Db, isDatabaseAway, openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Limits } from "./bounded-pool.server.ts";

/** Reads from it are at most this old; browsers that have just sent a form avoid it for longer. */
export const MOST_LAG_MS = 2_000;
const BEAT_MS = 500;
const POLL_MS = 20;

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
  let freshAt = -Infinity;
  let wasFresh = false;
  let failure: unknown;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const isFresh = () => performance.now() - freshAt < MOST_LAG_MS;

  async function follow() {
    const askedAt = performance.now();
    const isLate = () => performance.now() - askedAt >= MOST_LAG_MS;
    try {
      const lsn = await readPosition(primary.work);
      while (!isLate()) {
        if (await hasReached(db, lsn)) return void (freshAt = Math.max(freshAt, askedAt));
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
    if (isFresh() === wasFresh) return;
    if (wasFresh) log.warn({ err: failure }, OUT);
    else log.info(BACK);
    wasFresh = !wasFresh;
    failure = undefined;
  }, BEAT_MS).unref();

  return {
    pool,
    /** Resolves once what is read here is no older than this moment. */
    untilCurrent: async () => (isFresh() ? catchUp() : undefined),
    async read<T>(ask: (db: Db) => Promise<T>): Promise<T> {
      if (!isFresh()) return ask(primary.requests);
      try {
        return await ask(db);
      } catch (error) {
        // Others would also wait for it; unused until it is seen to answer again.
        if (isDatabaseAway(error)) freshAt = -Infinity;
        return ask(primary.requests);
      }
    },
    async close() {
      clearInterval(beat);
      await close();
    },
  };
}

const OUT = "the replica is down or too far behind: the primary answers";
const BACK = "the replica answers";

async function readPosition(db: Db): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(db);
  return rows[0]!.lsn;
}

async function hasReached(db: Db, lsn: string): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "isThere"`.execute(db);
  return rows[0]!.isThere;
}
