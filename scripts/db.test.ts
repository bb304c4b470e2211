import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { migrate } from "#app/platform/migrate.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";
import { dumpRows } from "#test/commands.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { urlOf } from "#test/postgres.ts";

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function command(script: string, env: Record<string, string> = {}, cwd = projectRoot) {
  const child = spawn(process.execPath, [path.join(projectRoot, "scripts", script)], {
    cwd,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: "silent",
      DATABASE_URL: urlOf(database.connection),
      DATA_DIR: dataDir,
      DEMO: "1",
      ...env,
    },
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, problems };
}

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

describe("two addresses", () => {
  const url = () => urlOf(database.connection);
  const changed = (change: (address: URL) => void) => {
    const address = new URL(url());
    change(address);
    return address.href;
  };
  /** Another cluster, as far as anybody can ask. */
  const elsewhere = () =>
    changed(({ searchParams }) => searchParams.set("options", "-c search_path=public,pg_catalog"));

  test.each([
    ["of which one is missing", () => ({ DATABASE_URL: "", DATABASE_DIRECT_URL: url() }), "beside"],
    [
      "that name two databases",
      () => ({ DATABASE_DIRECT_URL: changed((address) => (address.pathname = "/none")) }),
      "names another database",
    ],
    ["that lead to two clusters", () => ({ DATABASE_DIRECT_URL: elsewhere() }), "two databases"],
  ])("%s: nothing is deleted", async (_, env, message) => {
    await database.pool.query(`create or replace function public.pg_control_system(
      out system_identifier bigint) language sql as 'select 1::bigint'`);
    const failed = await command("db-reset.ts", env());
    expect(failed).toMatchObject({ code: 1, problems: expect.stringContaining(message) });
    const { rows } = await database.pool.query(
      "select to_regproc('public.pg_control_system') as id",
    );
    expect(rows[0]!.id).not.toBeNull();
  });

  test("of one database: it is named, and deleted", async () => {
    const reset = await command("db-reset.ts", { DATABASE_DIRECT_URL: url() });
    expect(reset).toMatchObject({ code: 0, problems: "" });
    expect(reset.out).toMatch(/^In the database kickabout_t_\w+ at \S+:\nEverything was deleted/);
  });

  test("those of a file .env do not go beside a database that was given", async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), "kickabout-env-"));
    const ofFile = {
      DATABASE_URL: elsewhere(),
      DATABASE_DIRECT_URL: "postgres://127.0.0.1:9/none",
    };
    const lines = Object.entries(ofFile).map((pair) => pair.join("="));
    writeFileSync(path.join(cwd, ".env"), lines.join("\n"));
    expect(await command("check-ledger.ts", {}, cwd)).toMatchObject({ code: 0, problems: "" });
    const same = await command("check-ledger.ts", { DATABASE_URL: elsewhere() }, cwd);
    expect(same).toMatchObject({ code: 1, problems: expect.stringContaining("names another") });
    rmSync(cwd, { recursive: true });
  });
});

const SITE = {
  ...{ SCHOOL_EMAIL_DOMAINS: "uni.example", MAIL_FROM: "k@uni.example", BRAND_NAME: "Kickabout" },
  ...{ SMTP_URL: "smtp://localhost", STRIPE_WEBHOOK_SECRET: "whsec_1", COMPANY_NAME: "Kickabout" },
  ...{ STRIPE_SECRET_KEY: "sk_test_1", CONTACT_EMAIL: "k@uni.example", UNIVERSITY_NAME: "Uni" },
  SESSION_SECRET: "s".repeat(32),
};

test.each([["a server"], ["embedded"]])(
  "db:reset deletes no site's database, %s or not, whose DEMO is 0",
  async (kind) => {
    const DATABASE_URL = kind === "embedded" ? "" : urlOf(database.connection);
    const rejected = await command("db-reset.ts", { DATABASE_URL, DEMO: "0" });
    expect(rejected).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("DEMO") });
    const { rows } = await database.pool.query("select count(*) > 0 as is_there from users");
    expect(rows).toEqual([{ is_there: true }]);
  },
);

test("db:seed of a database with accounts changes nothing, as it says", async () => {
  expect(await command("db-seed.ts")).toMatchObject({ code: 0, problems: "" });
  await database.pool.query(`update credit_packs
    set stripe_checkout_link = replace(stripe_checkout_link, '3000', '4672')`);
  const before = await dumpRows(database.pool);
  const seeded = await command("db-seed.ts");
  expect(seeded).toMatchObject({ code: 0, problems: "" });
  expect(seeded.out).toContain("There are accounts already; nothing was changed");
  expect(await dumpRows(database.pool)).toEqual(before);
});

test("db:seed plants no public passwords in a site's database, but in any other", async () => {
  const site = await command("db-seed.ts", { ...SITE, DEMO: "" });
  expect(site).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("DEMO=1") });
  const off = await command("db-seed.ts", { DEMO: "0" });
  expect(off).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("DEMO is 0") });
  for (const env of [{ ...SITE, DEMO: "1" }, { DEMO: "" }]) {
    expect(await command("db-seed.ts", env)).toMatchObject({ code: 0, problems: "" });
  }
});
