import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aVenue } from "#test/fixtures.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { roundTrips } from "#test/plans.ts";
import { type SilentProxy, startSilentProxy } from "#test/database-proxies.ts";
import {
  DatabaseTimeout,
  hadOutage,
  withinRequest,
} from "#app/platform/postgres/database-time.server.ts";
import { type Database, isDatabaseAway, openDatabase, sendTogether } from "./db.server.ts";

const scenario = useDatabase();

test("a connection lost in a transaction fails only that transaction", async () => {
  const lost = scenario.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(scenario.db);
    await sql`select 1`.execute(tx);
  });
  const error: unknown = await lost.catch((thrown: unknown) => thrown);
  expect(isDatabaseAway(error)).toBe(true);
  const { rows } = await sql`select 1 as one`.execute(scenario.db);
  expect(rows).toEqual([{ one: 1 }]);
});

test("a connection whose query was given up is not used again", async () => {
  const { db, close } = openDatabase(scenario.connection, 1);
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db)).rows[0]?.pid;
  const before = await pid();
  const slow = withinRequest(() => sql`select pg_sleep(5)`.execute(db), 50);
  await expect(slow).rejects.toThrow(DatabaseTimeout);
  expect(await pid()).not.toBe(before);
  await close();
});

test("what reads all columns goes on after a migration has added one, also in a transaction", async () => {
  const { db, close } = openDatabase(scenario.connection, 1);
  const id = await aVenue(scenario.db);
  const rows = () =>
    db.transaction().execute(async (tx) => {
      const one = tx.selectFrom("venues").where("id", "=", id);
      const texts = [
        sql`select distinct * from venues where id = ${id}`,
        sql`select city as place, * from venues where id = ${id}`,
        sql`select found.*, true from (select * from venues where id = ${id}) found`,
        sql`update venues set city = city where id = ${id} returning *`,
      ];
      const found = [await one.selectAll().execute(), await one.selectAll("venues").execute()];
      for (const text of texts) found.push((await text.execute(tx)).rows as (typeof found)[0]);
      return found.map(([row]) => (row as { added?: number }).added);
    });
  expect(await rows()).toEqual(Array(6).fill(undefined));
  await sql`alter table venues add column added integer default 7`.execute(scenario.db);
  expect(await rows()).toEqual(Array(6).fill(7));
  await sql`alter table venues drop column added`.execute(scenario.db);
  await close();
});

test("what names the columns of its result is prepared, and goes on too", async () => {
  const { db, pool, close } = openDatabase(scenario.connection, 1);
  const id = await aVenue(scenario.db);
  const asked = sql`select city from (select * from venues) venues where id = ${id}`;
  const { rows } = await asked.execute(db);
  await sql`alter table venues add column added integer`.execute(scenario.db);
  expect((await asked.execute(db)).rows).toEqual(rows);
  const prepared = await pool.query("select statement from pg_prepared_statements");
  expect(prepared.rows).toEqual([{ statement: asked.compile(db).sql }]);
  await sql`alter table venues drop column added`.execute(scenario.db);
  await close();
});

describe("statements that are sent together", () => {
  beforeEach(() => sql`create table counts as select 1 as n`.execute(scenario.db));
  afterEach(() => sql`drop table counts`.execute(scenario.db));
  const grow = sql`update counts set n = n + 1`;
  const read = sql<{ n: number }>`select n from counts`;

  test("are one round trip, in which each sees what those before it have done", async () => {
    const trips = await roundTrips(scenario.pool, (db) =>
      db.transaction().execute(async (tx) => {
        await read.execute(tx);
        const [before, , after] = await sendTogether(tx, read, grow, read);
        expect([before, after]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
      }),
    );
    // Includes the first read and commit.
    expect(trips).toBe(3);
  });

  test("see the change that a lock before them waited for", async () => {
    const { db } = scenario;
    const lock = sql`select from counts for update`;
    const later = await db.transaction().execute(async (holder) => {
      await grow.execute(holder);
      const waiting = db.transaction().execute((tx) => sendTogether(tx, lock, read));
      await untilBlocked(holder, db, waiting);
      return { waiting };
    });
    expect((await later.waiting)[1]).toEqual([{ n: 2 }]);
  });

  test("do nothing after one that fails, whose error it is", async () => {
    const failing = scenario.db
      .transaction()
      .execute((tx) => sendTogether(tx, grow, sql`select 1 / 0`, grow));
    await expect(failing).rejects.toMatchObject({ code: "22012" });
    expect((await read.execute(scenario.db)).rows).toEqual([{ n: 1 }]);
  });
});

describe("behind a proxy that falls silent", () => {
  const SHORT = { connectMs: 800, statementMs: 100, lockMs: 50, idleInTransactionMs: 5_000 };
  let proxy: SilentProxy;
  let database: Database;

  beforeEach(async () => {
    proxy = await startSilentProxy(scenario.connection);
    database = openDatabase(proxy.connection, 4, SHORT);
    // Four connections, open and idle.
    const held = await Promise.all(Array.from({ length: 4 }, () => database.pool.connect()));
    for (const client of held) client.release();
  });

  afterEach(async () => {
    await database.close();
    await proxy.close();
  });

  const ask = (text: string) => sql.raw(text).execute(database.db);
  const errorOf = (failing: Promise<unknown>) =>
    failing.then(
      () => null,
      (error: unknown) => error,
    );

  test("a query ends in time, and no other one meets a connection that is as silent", async () => {
    proxy.silence();
    expect(isDatabaseAway(await errorOf(ask("select 1")))).toBe(true);
    expect((await ask("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect(database.pool.totalCount).toBeLessThanOrEqual(4);
  });

  test("a transaction reports what made it fail, and its connection is not reused", async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      proxy.silence();
      await sql`select 'lost'`.execute(tx);
    });
    const error = await errorOf(failing);
    expect(error).toBeInstanceOf(DatabaseTimeout);
    expect((await ask("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  test("while new connections stay silent too, each wait has an end, and closing has one", async () => {
    proxy.silenceAll();
    const errors = await Promise.all(Array.from({ length: 12 }, () => errorOf(ask("select 1"))));
    expect(errors.map(isDatabaseAway)).toEqual(errors.map(() => true));
    proxy.letThrough();
    expect((await ask("select 1 as one")).rows).toEqual([{ one: 1 }]);
    proxy.silenceAll();
  });

  test("where every connection is busy the wait is short, and none is given up for it", async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => database.pool.connect()));
    expect(isDatabaseAway(await errorOf(ask("select 1")))).toBe(true);
    for (const client of held) client.release();
    expect((await ask("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect(database.pool.totalCount).toBe(4);
  });

  test("PostgreSQL's limit is over before ours, so that it says itself what took too long", async () => {
    expect(await errorOf(ask("select pg_sleep(10)"))).toMatchObject({ code: "57014" });
    expect(await errorOf(ask("select pg_sleep(10)"))).toSatisfy(isDatabaseAway);
    expect(database.pool.totalCount).toBe(4);
  });

  test("a request waits for the database once, however many queries it makes", async () => {
    proxy.silenceAll();
    const patient = openDatabase(proxy.connection, 4, { ...SHORT, connectMs: 1_000 });
    const failures = await withinRequest(async () => {
      const first = await errorOf(sql`select 1`.execute(patient.db));
      const others = await Promise.all([
        errorOf(sql`select 2`.execute(patient.db)),
        errorOf(patient.pool.query("select 3")),
      ]);
      return { errors: [first, ...others], hadOutage: hadOutage() };
    }, 100);
    expect(failures.hadOutage).toBe(true);
    for (const error of failures.errors) expect(error).toBeInstanceOf(DatabaseTimeout);
    expect(patient.pool.waitingCount).toBe(0);
    proxy.letThrough();
    await patient.close();
  });
});
