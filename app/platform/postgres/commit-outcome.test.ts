import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type CuttingProxy, openCuttingProxy } from "#test/database-proxies.ts";
import { useDatabase } from "#test/db.ts";
import { roundTrips } from "#test/plans.ts";
import type { BoundedPool } from "./bounded-pool.server.ts";
import { OutcomeUnknownError } from "./commit-outcome.server.ts";
import { hadOutage, waitForDatabase, withinRequest } from "./database-time.server.ts";
import {
  type Database,
  type Db,
  isDatabaseAway,
  openDatabase,
  sendTogether,
  transact,
} from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { allOrNothing } from "./outer-transaction.server.ts";

const database = useDatabase();
let proxy: CuttingProxy;
let far: Database;

beforeAll(async () => {
  await sql`create table notes (words text primary key)`.execute(database.db);
  proxy = await openCuttingProxy(database.connection);
  far = openDatabase(proxy.connection, 2);
});
afterAll(async () => {
  await far.close();
  await proxy.close();
});
beforeEach(() => {
  proxy.fate = () => "passes";
  proxy.isClosed = false;
  proxy.isEndless = false;
});

function write(db: Db, words: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into notes values (${words})`.execute(tx);
    return `wrote ${words}`;
  });
}

async function isWritten(words: string): Promise<boolean> {
  const { rows } = await sql`select from notes where words = ${words}`.execute(database.db);
  return rows.length === 1;
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test("a commit whose reply is lost is a commit", async () => {
  proxy.breakNext("cut-after");
  expect(await write(far.db, "lost answer")).toBe("wrote lost answer");
  expect(await isWritten("lost answer")).toBe(true);
});

function writeLast(db: Db, words: string, last: string): Promise<string> {
  return transact(db, async (tx, sendLast) => {
    await sql`insert into notes values (${words})`.execute(tx);
    await sendLast([sql`insert into notes values (${last})`]);
    return `wrote ${last}`;
  });
}

test("last writes go with the COMMIT, in one round trip", async () => {
  const trips = await roundTrips(database.pool, (db) => writeLast(db, "first", "last"));
  expect(trips).toBe(3);
  expect([await isWritten("first"), await isWritten("last")]).toEqual([true, true]);
});

test("a last write that fails is the error, and rolls back what was before it", async () => {
  await write(database.db, "taken");
  const failed = await failure(writeLast(database.db, "before", "taken"));
  expect(failed).toMatchObject({ constraint: "notes_pkey" });
  expect(await isWritten("before")).toBe(false);
  expect(await writeLast(database.db, "before", "free")).toBe("wrote free");
});

test("inside an outer transaction it rolls back its own part", async () => {
  await allOrNothing(database.pool, async (db) => {
    const failed = await failure(writeLast(db, "inner", "taken"));
    expect(failed).toMatchObject({ constraint: "notes_pkey" });
    await writeLast(db, "outer", "outer last");
  });
  const written = await Promise.all(["inner", "outer", "outer last"].map(isWritten));
  expect(written).toEqual([false, true, true]);
});

test("last writes whose replies are lost with that of the COMMIT are written", async () => {
  const { cuts } = proxy;
  proxy.breakNext("cut-after");
  expect(await writeLast(far.db, "lost first", "lost last")).toBe("wrote lost last");
  expect([await isWritten("lost first"), await isWritten("lost last")]).toEqual([true, true]);
  expect(proxy.cuts).toBeGreaterThan(cuts);
});

test("last writes that never arrived failed, and are known to have failed", async () => {
  proxy.breakNext("cut-before");
  expect(await failure(writeLast(far.db, "never first", "never last"))).toSatisfy(isDatabaseAway);
  expect(await isWritten("never first")).toBe(false);
});

test("its outcome is known as well where the server never closes the connection", async () => {
  proxy.isEndless = true;
  proxy.breakNext("cut-after");
  expect(await write(far.db, "endless")).toBe("wrote endless");
});

test("without the check it is reported as a failure", async () => {
  const pool = new pg.Pool({ ...proxy.connection, max: 1 });
  pool.on("connect", (client) => client.on("error", () => {}));
  const plain: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  proxy.breakNext("cut-after");
  expect(await failure(write(plain, "plain"))).toBeInstanceOf(Error);
  expect(await isWritten("plain")).toBe(true);
  await pool.end();
});

test("a commit that never arrived failed, and is known to have failed", async () => {
  proxy.breakNext("cut-before");
  const error = await failure(write(far.db, "never arrived"));
  expect(error).not.toBeInstanceOf(OutcomeUnknownError);
  expect(isDatabaseAway(error)).toBe(true);
  expect(await isWritten("never arrived")).toBe(false);
  expect(await write(far.db, "never arrived")).toBe("wrote never arrived");
});

test("an unreachable server makes the outcome unknown", async () => {
  const other = await openCuttingProxy(database.connection);
  const busy = openDatabase(other.connection, 1);
  // One server answers nobody any more; another has not noticed that the connection is gone.
  proxy.breakNext("cut-after", () => (proxy.isClosed = true));
  other.fate = () => "stuck";
  const errors = await Promise.all([
    failure(write(far.db, "unanswered")),
    failure(write(busy.db, "unnoticed")),
  ]);
  for (const error of errors) {
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(isDatabaseAway(error)).toBe(true);
  }
  expect(await isWritten("unanswered")).toBe(true);
  await busy.close();
  await other.close();
});

test("a COMMIT that the request has no time left for is not sent, and is known to have failed", async () => {
  const logged = vi.spyOn(log, "error");
  const useUp = () =>
    waitForDatabase(
      Infinity,
      () => new Promise(() => {}),
      () => {},
    ).catch(() => {});
  const late = withinRequest(
    () =>
      far.db.transaction().execute(async (tx) => {
        await sql`insert into notes values (${"late"})`.execute(tx);
        // A timer may come a moment early.
        for (let n = 0; n < 3; n += 1) await useUp();
      }),
    1_000,
  );
  const error = await failure(late);
  expect(error).not.toBeInstanceOf(OutcomeUnknownError);
  expect(isDatabaseAway(error)).toBe(true);
  expect(logged).not.toHaveBeenCalled();
  expect(await isWritten("late")).toBe(false);
  logged.mockRestore();
});

test("a COMMIT that takes all of the request's time is asked about beyond it", async () => {
  await sql`create table slow (words text)`.execute(database.db);
  await sql`create function wait_at_commit() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(7); return null; end'`.execute(database.db);
  await sql`create constraint trigger waits after insert on slow deferrable initially deferred
    for each row execute function wait_at_commit()`.execute(database.db);
  const other = await database.pool.connect();
  await other.query("select pg_advisory_lock(7)");
  const cut = Promise.withResolvers<void>();
  const written = withinRequest(() => {
    const look = setInterval(() => hadOutage() && cut.resolve(clearInterval(look)), 5);
    return far.db.transaction().execute(async (tx) => {
      await sql`insert into slow values ('long')`.execute(tx);
      return "wrote it";
    });
  }, 1_000);
  await cut.promise;
  await other.query("select pg_advisory_unlock(7)");
  expect(await written).toBe("wrote it");
  other.release();
});

test("another server than the one that began it cannot say what became of it", async () => {
  await sql`create schema elsewhere`.execute(database.db);
  await sql`create table elsewhere.started as select now() as at`.execute(database.db);
  await sql`create function elsewhere.pg_postmaster_start_time() returns timestamptz language sql
    as 'select at from elsewhere.started'`.execute(database.db);
  const options = "-c search_path=elsewhere,pg_catalog,public";
  const moved = openDatabase({ ...proxy.connection, options }, 1);
  proxy.breakNext("cut-after");
  const written = moved.db.transaction().execute(async (tx) => {
    await sql`insert into public.notes values ('moved')`.execute(tx);
    await sql`update elsewhere.started set at = now() + interval '1 second'`.execute(database.db);
  });
  expect(await failure(written)).toBeInstanceOf(OutcomeUnknownError);
  await moved.close();
});

test("an error of a statement or deferred check stays that error", async () => {
  const logged = vi.spyOn(log, "warn");
  await sql`create table pairs (id int primary key references pairs deferrable initially deferred,
    other int references pairs deferrable initially deferred)`.execute(database.db);
  const unpaired = far.db
    .transaction()
    .execute((tx) => sql`insert into pairs values (1, 2)`.execute(tx));
  expect(await failure(unpaired)).toMatchObject({ code: "23503" });
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
  expect(await write(far.db, "afterwards")).toBe("wrote afterwards");
});

test("reading alone takes no transaction id", async () => {
  const { rows } = await far.db
    .transaction()
    .setAccessMode("read only")
    .execute((tx) => sql`select pg_current_xact_id_if_assigned() as id`.execute(tx));
  expect(rows).toEqual([{ id: null }]);
});

test("several statements in one text are run as they are", async () => {
  await sql.raw("begin; insert into notes values ('script'); commit").execute(far.db);
  expect(await isWritten("script")).toBe(true);
});

const inTransaction = (statement: ReturnType<typeof sql>) => (db: Db) =>
  db.transaction().execute((tx) => statement.execute(tx));

test("a transaction begins in the message of its first read, and before its first write", async () => {
  const { pool } = database;
  expect(await roundTrips(pool, inTransaction(sql`select from notes`))).toBe(2);
  const writing = inTransaction(sql`insert into notes values (${"a trip more"})`);
  expect(await roundTrips(pool, writing)).toBe(3);
  expect(await roundTrips(pool, (db) => db.transaction().execute(async () => {}))).toBe(0);
});

test("what could not begin writes nothing, also behind a read in the same message", async () => {
  const { db, pool, close } = openDatabase(database.connection, 1);
  // Ends the transaction at once, and then fails.
  (pool as BoundedPool).limitsOfTransaction.push("rollback", "select 1 / 0");
  const read = sql`select from notes`;
  const insert = sql`insert into notes values (${"behind a read"})`;
  const together = () => db.transaction().execute((tx) => sendTogether(tx, read, insert, read));
  expect(await failure(write(db, "never begun"))).toMatchObject({ code: "22012" });
  expect(await failure(together())).toMatchObject({ code: "22012" });
  expect([await isWritten("never begun"), await isWritten("behind a read")]).toEqual([
    false,
    false,
  ]);
  await close();
});
