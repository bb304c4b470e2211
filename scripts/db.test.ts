import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { migrate } from "#app/platform/migrate.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { urlOf } from "#test/postgres.ts";

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function command(script: string) {
  const child = spawn(process.execPath, [`scripts/${script}`], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: "silent",
      DATABASE_URL: urlOf(database.connection),
      DATA_DIR: dataDir,
      DEMO: "1",
    },
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, problems };
}

test("a database of an older version is rejected in one line until db:reset has emptied it", async () => {
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
});
