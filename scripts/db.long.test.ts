import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { urlOf } from "#test/postgres.ts";
import { runScript } from "#test/commands.ts";

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const command = (script: string, env: Record<string, string> = {}, cwd?: string) =>
  runScript(script, [], {
    env: { DATABASE_URL: urlOf(database.connection), DATA_DIR: dataDir, DEMO: "1", ...env },
    ...(cwd ? { cwd } : {}),
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

test("db:seed plants no public passwords in a site's database, but in any other", async () => {
  const site = await command("db-seed.ts", { ...SITE, DEMO: "" });
  expect(site).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("DEMO=1") });
  const off = await command("db-seed.ts", { DEMO: "0" });
  expect(off).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("DEMO is 0") });
  for (const env of [{ ...SITE, DEMO: "1" }, { DEMO: "" }]) {
    expect(await command("db-seed.ts", env)).toMatchObject({ code: 0, problems: "" });
  }
});
