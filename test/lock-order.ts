import { sql } from "kysely";
import { beforeAll, expect, vi } from "vitest";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { lockPayments } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";

const NO_INDEX = ["indexscan", "indexonlyscan", "bitmapscan"].map(
  (scan) => `-c enable_${scan}=off`,
);

/**
 * Rows come as they are stored, and no index puts them in order by chance: what is in the order of
 * its ids was asked for in that order. Call it after useDatabase.
 */
export function readAsStored(fixture: Pick<TestDatabase, "pool">): void {
  beforeAll(async () => {
    Object.assign(fixture.pool.options, { options: NO_INDEX.join(" ") });
    // Connections that are open already keep their options.
    const open = Array.from({ length: fixture.pool.idleCount }, () => fixture.pool.connect());
    for (const client of await Promise.all(open)) client.release(true);
  });
}

/** Something that operations lock: a row, or the one lock of all Stripe events. */
export interface Lockable {
  name: string;
  hold(tx: Tx): Promise<unknown>;
  /** Asked on a transaction that does not hold it. */
  isFree(tx: Tx): Promise<boolean>;
}

export const stripeEvents: Lockable = {
  name: "stripe events",
  hold: lockPayments,
  async isFree(tx) {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(tx);
    return rows.length === 0;
  },
};

export const account = (id: string) => row("users", "id", id);
export const adminRole = (userId: string) => row("user_roles", "user_id", userId);
export const game = (id: string) => row("games", "id", id);
export const venue = (id: string) => row("venues", "id", id);
export const wallet = (userId: string) => row("profiles", "user_id", userId);
export const booking = (id: string) => row("bookings", "id", id);
export const friendHold = (token: string) => row("friend_holds", "token", token);
export const paymentHold = (id: string) => row("payment_holds", "id", id);
export const payment = (id: string) => row("payments", "id", id);
export const ticket = (id: string) => row("support_messages", "id", id);
export const withdrawal = (id: string) => row("withdrawals", "id", id);

// The weakest mode that a change of the row waits for: a foreign key's own lock is not counted.
function row(table: string, key: string, id: string): Lockable {
  const select = sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${id}
    for no key update`;
  return {
    name: table,
    hold: (tx) => select.execute(tx),
    isFree: async (tx) => (await sql`${select} skip locked`.execute(tx)).rows.length > 0,
  };
}

interface Scenario {
  /** What `run` has to lock, in the order in which it has to. */
  locks: Lockable[];
  run(): Promise<unknown>;
}

/**
 * Proves the order in which an operation locks. For each of its locks in turn another transaction
 * holds it, and once the operation waits for that one, exactly those before it are taken. `prepare`
 * makes a new scenario each time.
 */
export async function expectLockOrder(db: Db, prepare: () => Promise<Scenario>): Promise<void> {
  let names: string[] = [];
  const taken: string[][] = [];
  do {
    const scenario = await prepare();
    names = scenario.locks.map(({ name }, position) => `${position + 1}. ${name}`);
    taken.push((await takenBefore(db, scenario, taken.length)).map((position) => names[position]!));
  } while (taken.length < names.length);
  expect(taken).toEqual(names.map((_, position) => names.slice(0, position)));
}

/** What of its locks an operation holds while it waits for the one at this position. */
async function takenBefore(db: Db, { locks, run }: Scenario, position: number) {
  const held = await db.transaction().execute(async (holder) => {
    await locks[position]!.hold(holder);
    const operation = run();
    await untilBlocked(holder, db, operation);
    const others = locks.map((lock, at) => ({ lock, at })).filter(({ at }) => at !== position);
    const probed = await db.transaction().execute(async (tx) => {
      const found = [];
      for (const { lock, at } of others) if (!(await lock.isFree(tx))) found.push(at);
      return found;
    });
    return { operation, probed };
  });
  await held.operation;
  return held.probed;
}

/** Until so many transactions of this database wait for locks: they get one in the order they came. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const areWaiting = async () => (await waiting.execute(db)).rows.length === count;
  await vi.waitUntil(areWaiting, { interval: 5 });
}

/** Until the operation waits for the holder; fails where it ends before. */
export async function untilBlocked(holder: Tx, db: Db, operation: Promise<unknown>): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  operation.then(end, end);
  const blocked = sql`select from pg_stat_activity
    where datname = current_database() and ${rows[0]!.pid} = any(pg_blocking_pids(pid))`;
  const isBlocked = async () => hasEnded || (await blocked.execute(db)).rows.length > 0;
  await vi.waitUntil(isBlocked, { interval: 5 });
  if (hasEnded) await operation;
  expect(hasEnded, "the operation ended without waiting for the lock").toBe(false);
}
