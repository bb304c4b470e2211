import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, expect, inject, test, vi } from "vitest";
import { openCuttingProxy } from "#test/database-proxies.ts";
import { useDatabase } from "#test/db.ts";
import { administer, at } from "#test/postgres.ts";
import { openDatabase, REQUEST_LIMITS } from "./db.server.ts";
import { log } from "./log.server.ts";
import { migrate } from "./migrate.server.ts";
import { projectRoot } from "./root.server.ts";

const scenario = useDatabase();
const MIGRATIONS = path.join(projectRoot, "db", "migrations");
const files = readdirSync(MIGRATIONS).sort();

afterEach(() => {
  vi.restoreAllMocks();
});

test("what is applied is not applied again", async () => {
  expect(await migrate(scenario.pool)).toEqual([]);
});

test("of several processes that start at once one migrates, the others find it done", async () => {
  const name = `${scenario.connection.database ?? "kickabout_t"}_empty_${process.pid}`;
  await administer(inject("server"), `create database ${name}`);
  const processes = Array.from({ length: 4 }, () => openDatabase(at(inject("server"), name), 2));
  try {
    const applied = await Promise.all(processes.map(({ pool }) => migrate(pool)));
    expect(applied.filter((names) => names.length > 0)).toEqual([files]);
  } finally {
    await Promise.all(processes.map(({ close }) => close()));
    await administer(inject("server"), `drop database ${name} with (force)`);
  }
});

/** Writes a name into the database's history for the length of one test. */
async function withApplied(name: string, run: () => Promise<unknown>) {
  await scenario.pool.query("insert into schema_migrations (name, checksum) values ($1, '')", [
    name,
  ]);
  try {
    await run();
  } finally {
    await scenario.pool.query("delete from schema_migrations where name = $1", [name]);
  }
}

test("a database that an older version set up is rejected with the command that resets it", () =>
  withApplied("002_games.sql", () =>
    expect(migrate(scenario.pool)).rejects.toThrow(
      /^This database .*002_games\.sql is not in db\/migrations.*`npm run db:reset`/,
    ),
  ));

test("a database that a newer version has migrated further is left as it is, with a warning", () =>
  withApplied("999_later.sql", async () => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
    expect(await migrate(scenario.pool)).toEqual([]);
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      { newer: ["999_later.sql"] },
      expect.stringContaining("newer version"),
    );
  }));

test("a file changed after it was applied is rejected by name", async () => {
  const last = files.at(-1);
  const change = "update schema_migrations set checksum = reverse(checksum) where name = $1";
  await scenario.pool.query(change, [last]);
  await expect(migrate(scenario.pool)).rejects.toThrow(`${last} was changed after it was applied`);
  await scenario.pool.query(change, [last]);
});

/** The project's migrations and one more. */
async function withAnother(text: string, run: (folder: string) => Promise<unknown>) {
  const folder = await mkdtemp(path.join(tmpdir(), "kickabout-migrations-"));
  try {
    await cp(MIGRATIONS, folder, { recursive: true });
    await writeFile(path.join(folder, "999_another.sql"), text);
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("one that fails changes nothing", async () => {
  // Its own entry in the history is the last statement: only a transaction takes the table back.
  const half = `create table half (id int);
    insert into schema_migrations (name, checksum) values ('999_another.sql', '')`;
  await withAnother(half, (folder) =>
    expect(migrate(scenario.pool, folder)).rejects.toThrow(
      "migration 999_another.sql failed and changed nothing: duplicate key",
    ),
  );
  const { rows } = await scenario.pool.query("select name from schema_migrations order by name");
  expect(rows.map(({ name }) => name)).toEqual(files);
  const found = await scenario.pool.query("select to_regclass('half') as half");
  expect(found.rows).toEqual([{ half: null }]);
});

test("one that fails at its COMMIT changes nothing", async () => {
  const late = `create table half (id int unique deferrable initially deferred);
    insert into half values (1), (1)`;
  await withAnother(late, (folder) =>
    expect(migrate(scenario.pool, folder)).rejects.toThrow(
      "migration 999_another.sql failed and changed nothing: duplicate key",
    ),
  );
  const found = await scenario.pool.query("select to_regclass('half') as half");
  expect(found.rows).toEqual([{ half: null }]);
});

test("where the answer to COMMIT is lost it says that this is not known, and another run settles it", async () => {
  const proxy = await openCuttingProxy(scenario.connection);
  const { pool, close } = openDatabase(proxy.connection, 1);
  try {
    for (const [fate, isApplied] of [["cut-after", true] as const, ["cut-before", false] as const])
      await withAnother("create table twice (id int)", async (folder) => {
        proxy.breakNext(fate);
        await expect(migrate(pool, folder), fate).rejects.toThrow(
          /^it is not known whether migration 999_another\.sql was applied: .+ Run it again\.$/,
        );
        expect(await migrate(pool, folder), fate).toEqual(isApplied ? [] : ["999_another.sql"]);
        await scenario.pool.query(`drop table twice;
          delete from schema_migrations where name = '999_another.sql'`);
      });
  } finally {
    await close();
    await proxy.close();
  }
});

/** Somebody reads the table and has not finished: a backup, or a long query. */
async function whileRead(table: string, run: (finish: () => Promise<unknown>) => Promise<unknown>) {
  const reader = await scenario.pool.connect();
  try {
    await reader.query(`begin; select from ${table}`);
    await run(() => reader.query("commit"));
  } finally {
    await reader.query("rollback");
    reader.release();
  }
}

const ADDS = "alter table partners add column added integer";
const hasAdded = async () => {
  const columns = "select from information_schema.columns where column_name = 'added'";
  return (await scenario.pool.query(columns)).rowCount === 1;
};

test("while one waits for a table in use requests read it, and it is applied once it is free", () =>
  withAnother(ADDS, (folder) =>
    whileRead("partners", async (finish) => {
      vi.spyOn(log, "warn").mockImplementation(() => {});
      const applied = migrate(scenario.pool, folder, { lockMs: 300, pauseMs: 50, tries: 10_000 });
      const waits = `select from pg_locks where relation = 'partners'::regclass and not granted`;
      await vi.waitUntil(async () => (await scenario.pool.query(waits)).rowCount === 1, {
        timeout: 30_000,
      });
      const requests = openDatabase(scenario.connection, 1, REQUEST_LIMITS);
      for (let n = 0; n < 3; n += 1) {
        await sql`select from partners`.execute(requests.db);
      }
      expect(await hasAdded()).toBe(false);
      await finish();
      expect(await applied).toEqual(["999_another.sql"]);
      expect(await hasAdded()).toBe(true);
      await requests.close();
      await scenario.pool.query(`alter table partners drop column added;
        delete from schema_migrations where name = '999_another.sql'`);
    }),
  ));

test("one whose table stays in use gives up, changes nothing, and says what to look for", () =>
  withAnother(`create table half (id int); ${ADDS}`, (folder) =>
    whileRead("partners", async () => {
      const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
      const limits = { lockMs: 50, pauseMs: 10, tries: 3 };
      await expect(migrate(scenario.pool, folder, limits)).rejects.toThrow(
        /^migration 999_another.sql failed and changed nothing: .* lock timeout\. .*pg_stat_activity/,
      );
      expect(warned).toHaveBeenCalledTimes(2);
      expect(await hasAdded()).toBe(false);
      const found = await scenario.pool.query("select to_regclass('half') as half");
      expect(found.rows).toEqual([{ half: null }]);
    }),
  ));
