import { expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { connectWithoutLimits, openDatabase, WORK_LIMITS } from "#app/platform/db.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { applicationName, BoundedClient } from "./bounded-pool.server.ts";
import {
  describeWait,
  LOCKS,
  type LockWait,
  reportLockWaits,
  withSessionLock,
} from "./session-locks.server.ts";

const database = useDatabase();

/** Another process's session, until `end`. */
async function startHolder(statement: string) {
  const other = openDatabase(
    { ...database.connection, application_name: "psql of an operator" },
    1,
  );
  const client = await other.pool.connect();
  await client.query(statement);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const end = async () => {
    client.release(true);
    await other.close();
  };
  return { pid: rows[0]!.pid, end };
}

test.each([
  ["the lock of migrations", `select pg_advisory_lock(${LOCKS.migrations})`],
  ["table schema_migrations", "begin; lock table schema_migrations in access exclusive mode"],
])(
  "a start that waits for %s reports it, its holder and since when, again and again",
  async (lock, statement) => {
    const holder = await startHolder(statement);
    const waits: LockWait[] = [];
    const often = { checkMs: 20, oldMs: 50, repeatMs: 100 };
    const endReports = reportLockWaits(database.pool, (wait) => waits.push(wait), often);
    const migrated = migrate(database.pool);
    await vi.waitUntil(() => waits.length >= 2);
    await holder.end();
    expect(await migrated).toEqual([]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const holders = [
      {
        pid: holder.pid,
        application: "psql of an operator",
        state: expect.any(String),
        since: time,
      },
    ];
    for (const wait of waits) expect(wait).toEqual({ lock, since: time, holders });
    expect(describeWait(waits[0]!)).toMatch(
      new RegExp(
        `^Waits since .+ for ${lock}, held by process ${holder.pid} of PostgreSQL .psql of an operator., idle`,
      ),
    );
    await endReports();
    const sessions = `select from pg_stat_activity where application_name = '${applicationName("session")}'
    and datname = current_database()`;
    await vi.waitUntil(async () => (await database.pool.query(sessions)).rowCount === 0);
  },
);

test("what another process waits for is not reported", async () => {
  const holder = await startHolder(`select pg_advisory_lock(${LOCKS.backups})`);
  const other = openDatabase(
    { ...database.connection, application_name: "kickabout-work-other/1" },
    1,
  );
  const waiting = other.pool.query(`select pg_advisory_lock(${LOCKS.backups})`);
  const waits: LockWait[] = [];
  const endReports = reportLockWaits(database.pool, (wait) => waits.push(wait), {
    checkMs: 10,
    oldMs: 0,
  });
  const own = `select from pg_stat_activity where application_name = '${applicationName("session")}'
    and datname = current_database() and query like '%pg_blocking_pids%' and state = 'idle'`;
  await vi.waitUntil(async () => (await database.pool.query(own)).rowCount === 1);
  await endReports();
  expect(waits).toEqual([]);
  await holder.end();
  await waiting;
  await other.close();
});

test("a lock is free when its work has ended, also by an error, and its session before that", async () => {
  const locks = async () => {
    const { rows } = await database.pool.query(`select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`);
    return rows.length;
  };
  await withSessionLock(database.pool, { lock: "backups" }, async () =>
    expect(await locks()).toBe(1),
  );
  expect(await locks()).toBe(0);
  const failed = withSessionLock(database.pool, { lock: "backups" }, () => {
    throw new Error("work failed");
  });
  await expect(failed).rejects.toThrow("work failed");
  expect(await locks()).toBe(0);
});

test("where a lock is not waited for, the error names who has it", async () => {
  const holder = await startHolder(`select pg_advisory_lock(${LOCKS.backups})`);
  const once = { lock: "backups", taken: "A backup runs already" } as const;
  await expect(withSessionLock(database.pool, once, async () => {})).rejects.toThrow(
    new RegExp(`^A backup runs already: process ${holder.pid} of PostgreSQL .psql of an operator.`),
  );
  await holder.end();
});

test("a session has no limits, also where its database has some", async () => {
  const { database: name } = database.connection;
  await database.pool.query(`alter database ${name} set statement_timeout = '7s'`);
  const client = await connectWithoutLimits(database.pool);
  const { rows } = await client.query("show statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "0" }]);
  await client.end();
});

test("a session of a pool without limits waits for its first reply too", async () => {
  const unlimited = openDatabase(database.connection, 1, { ...WORK_LIMITS, connectMs: 0 });
  const limits: number[] = [];
  const { query } = BoundedClient.prototype;
  const note = function note(this: BoundedClient, ...args: unknown[]) {
    limits.push(this.limitMs);
    return Reflect.apply(query, this, args);
  };
  vi.spyOn(BoundedClient.prototype, "query").mockImplementation(note as typeof query);
  const client = await connectWithoutLimits(unlimited.pool);
  expect([...new Set(limits)]).toEqual([Infinity]);
  await client.end();
  await unlimited.close();
});
