import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { administer, at } from "#test/postgres.ts";
import { openDatabase } from "./db.server.ts";
import { migrate } from "./migrate.server.ts";
import { projectRoot } from "./root.server.ts";

const scenario = useDatabase();
const MIGRATIONS = path.join(projectRoot, "db", "migrations");
const files = readdirSync(MIGRATIONS).sort();

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

test("a database that a newer version has migrated further is left as it is", () =>
  withApplied("999_later.sql", async () => expect(await migrate(scenario.pool)).toEqual([])));

test("a file changed after it was applied is rejected by name", async () => {
  const last = files.at(-1);
  const change = "update schema_migrations set checksum = reverse(checksum) where name = $1";
  await scenario.pool.query(change, [last]);
  await expect(migrate(scenario.pool)).rejects.toThrow(`${last} was changed after it was applied`);
  await scenario.pool.query(change, [last]);
});

test("one that fails changes nothing", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "kickabout-migrations-"));
  try {
    await cp(MIGRATIONS, folder, { recursive: true });
    // Its own entry in the history is the last statement: only a transaction takes the table back.
    const half = `create table half (id int);
      insert into schema_migrations (name, checksum) values ('999_half.sql', '')`;
    await writeFile(path.join(folder, "999_half.sql"), half);
    await expect(migrate(scenario.pool, folder)).rejects.toThrow(
      "migration 999_half.sql failed and changed nothing: duplicate key",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  const { rows } = await scenario.pool.query("select name from schema_migrations order by name");
  expect(rows.map(({ name }) => name)).toEqual(files);
  const found = await scenario.pool.query("select to_regclass('half') as half");
  expect(found.rows).toEqual([{ half: null }]);
});
