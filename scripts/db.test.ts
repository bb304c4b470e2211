import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "#app/platform/migrate.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";
import { dumpRows, runScript } from "#test/commands.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { urlOf } from "#test/postgres.ts";

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const command = (script: string, env: Record<string, string> = {}, cwd?: string) =>
  runScript(script, [], {
    env: { DATABASE_URL: urlOf(database.connection), DATA_DIR: dataDir, DEMO: "1", ...env },
    ...(cwd ? { cwd } : {}),
  });

test("a database of an older version is rejected in one line until db:reset has emptied it", async () => {
  const mark = await readMark(database.db);
  await database.pool.query(`truncate schema_migrations;
    insert into schema_migrations (name, checksum) values
      ('001_accounts.sql', 'former'), ('002_games.sql', 'former');
    drop table audit_log`);
  const failed = await command("db-migrate.ts");
  expect(failed).toMatchObject({ code: 1, out: "" });
  expect(failed.problems).toMatch(/^This database was set up .*`npm run db:reset`.*\n$/);
  expect(await command("db-reset.ts")).toMatchObject({ code: 0, problems: "" });
  expect(await migrate(database.pool)).toEqual([]);
  const { rows } = await database.pool.query("select count(*) from users");
  expect(rows).toEqual([{ count: 33 }]);
  // Its uploads are still its own.
  expect(await readMark(database.db)).toBe(mark);
});

test("db:seed of a database with accounts changes nothing, as it says", async () => {
  // It has those of the db:reset above.
  await database.pool.query(`update credit_packs
    set stripe_checkout_link = replace(stripe_checkout_link, '3000', '4672')`);
  const before = await dumpRows(database.pool);
  const seeded = await command("db-seed.ts");
  expect(seeded).toMatchObject({ code: 0, problems: "" });
  expect(seeded.out).toContain("There are accounts already; nothing was changed");
  expect(await dumpRows(database.pool)).toEqual(before);
});
