import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { freePort } from "../../../e2e/site.ts";
import { connectWithoutLimits, openDatabase } from "#app/platform/db.server.ts";
import { connectServer } from "#app/platform/connect.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { startSilentProxy } from "#test/database-proxies.ts";
import { startPgBouncer } from "#test/pgbouncer.ts";
import { administer, at, urlOf } from "#test/postgres.ts";
import { withBackupLock } from "../../../scripts/backups/store.ts";

let cleanUps: (() => unknown)[];
let number = 0;

beforeEach(() => {
  cleanUps = [];
});
afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** An empty database, its own address and that of a PgBouncer before it. */
async function startPooled(others: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-pgbouncer-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const database = `kickabout_pooled_${process.pid}_${(number += 1)}`;
  await administer(inject("server"), `create database ${database}`);
  cleanUps.push(() => administer(inject("server"), `drop database ${database} with (force)`));
  const direct = at(inject("server"), database);
  const tcp = await startSilentProxy(direct);
  cleanUps.push(tcp.close);
  const port = await freePort();
  const bouncer = await startPgBouncer(
    folder,
    { port: tcp.connection.port!, database },
    port,
    others,
  );
  cleanUps.push(bouncer.stop);
  return { direct, pooled: { host: "127.0.0.1", port, user: "any", database: "kickabout" } };
}

function open(connection: pg.ClientConfig) {
  const database = openDatabase(connection, 2);
  cleanUps.push(database.close);
  return database;
}

async function tablesAndLocks(connection: pg.ClientConfig) {
  const { rows } = await open(connection).pool.query(`
    select (select count(*) from information_schema.tables where table_schema = 'public') as tables,
      (select count(*) from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())) as locks`);
  return rows[0];
}

test.each([
  ["with its defaults", ""],
  [
    "that ignores settings",
    "ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options",
  ],
  ["that hands out its connections in turn", "server_round_robin = 1\nmin_pool_size = 4"],
])(
  "a migration and a backup through PgBouncer %s change nothing, hold nothing, and say what to set",
  async (_, others) => {
    const { direct, pooled } = await startPooled(others);
    const { pool } = open(pooled);
    await expect(migrate(pool)).rejects.toThrow(/pooler .* DATABASE_DIRECT_URL/);
    const backup = withBackupLock({ pool } as Parameters<typeof withBackupLock>[0], async () => {});
    await expect(backup).rejects.toThrow(/pooler .* DATABASE_DIRECT_URL/);
    expect(await tablesAndLocks(direct)).toEqual({ tables: 0, locks: 0 });
    // Nothing is in the way of the right address.
    expect((await migrate(open(direct).pool)).length).toBeGreaterThan(30);
    expect(await tablesAndLocks(direct)).toMatchObject({ locks: 0 });
  },
);

/** Connects like a start, and then asks several connections the same at once. */
async function startBehind({ direct, pooled }: Awaited<ReturnType<typeof startPooled>>) {
  const databaseUrl = `postgres://any@127.0.0.1:${pooled.port}/kickabout`;
  const place = { databaseUrl, directUrl: urlOf(direct), dataDir: "" };
  const server = await connectServer({ ...place, poolMax: 4, role: "all" });
  cleanUps.push(server.close);
  const { pool } = server.requests;
  const same = Array.from({ length: 12 }, (_, n) => pool.query("select $1::int as n", [n]));
  return (await Promise.all(same)).length;
}

test.each([
  ["that prepares no statements", "max_prepared_statements = 0"],
  ["that prepares none and takes turns", "max_prepared_statements = 0\nserver_round_robin = 1"],
])("a start behind PgBouncer %s fails with the version and setting it takes", async (_, others) => {
  const started = startBehind(await startPooled(others));
  await expect(started).rejects.toThrow(/PgBouncer 1\.21 .*max_prepared_statements = 200/);
});

test.each([
  ["with the settings of the document", ""],
  [
    "in session mode, which passes their names on",
    "pool_mode = session\nmax_prepared_statements = 0",
  ],
])("a process starts behind PgBouncer %s, and prepares statements", async (_, others) => {
  expect(await startBehind(await startPooled(others))).toBe(12);
});

test("PgBouncer in session mode gives a session, without the limits of its database", async () => {
  const { direct, pooled } = await startPooled("pool_mode = session");
  await administer(direct, `alter database ${direct.database} set statement_timeout = '7s'`);
  const client = await connectWithoutLimits(open(pooled).pool);
  const { rows } = await client.query("show statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "0" }]);
  await client.end();
});
