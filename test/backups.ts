import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { installJobs } from "#app/jobs.server.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { ada, aGame, ben } from "./fixtures.ts";
import { createPostgres, serverTools } from "./own-postgres.ts";
import { administer } from "./postgres.ts";
import { outcomeOf, startScript } from "./commands.ts";

export type Kind = "embedded" | "server";
export type BackupSite = Awaited<ReturnType<typeof openBackupSite>>;

export const KINDS: Kind[] = ["embedded", "server"];

/** A migrated database with its folder, and the commands on it as processes of their own. */
export async function openBackupSite(kind: Kind) {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-backups-"));
  // Another user may run the server.
  if (kind === "server") chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const backups = path.join(folder, "backups");
  const postgres = kind === "server" ? createPostgres(path.join(folder, "pg")) : null;
  postgres?.start();
  if (postgres) {
    await administer({ connectionString: postgres.url("postgres") }, "create database kickabout");
  }
  const place = { databaseUrl: postgres?.url("kickabout"), dataDir };
  const open = () => connect(place);
  await using(open, async ({ db, pool }) => {
    await migrate(pool);
    await installJobs(pool);
    await ada(db);
    await ben(db);
    await aGame(db);
  });
  const picture = path.join(dataDir, "uploads", "pictures", "one.webp");
  mkdirSync(path.dirname(picture), { recursive: true });
  writeFileSync(picture, "a picture");
  const env: Record<string, string | undefined> = {
    PATH: `${serverTools ?? ""}:${process.env.PATH}`,
    DATA_DIR: dataDir,
    DEMO: "1",
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
  };
  const start = (script: string, args: string[], under: string[] = []) =>
    startScript(script, args, { cwd: folder, env, under });
  const run = (script: string, ...args: string[]) => runUnder([], script, ...args);
  const runUnder = (under: string[], script: string, ...args: string[]) =>
    outcomeOf(start(script, args, under));
  /** Full paths, oldest first. */
  const list = () =>
    readdirSync(backups)
      .sort()
      .map((name) => path.join(backups, name));
  return {
    ...{ kind, folder, dataDir, backups, postgres, picture, env, start, run, runUnder, list },
    use: <T>(act: (database: Connection) => Promise<T>) => using(open, act),
    async takeOne() {
      expect(await run("backup.ts", backups, "--quiet")).toEqual(SILENT);
      return list().at(-1)!;
    },
    close() {
      postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function using<T>(
  open: () => Promise<Connection>,
  run: (database: Connection) => Promise<T>,
) {
  const database = await open();
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

export const SILENT = { code: 0, out: "", problems: "" };
export const RESTORES =
  /^\/\S+Z restores: \d+ rows, books right, emails put aside: \d+, took [\d.]+ s\n$/;

export async function expectNoCopies({ dataDir, postgres, use }: BackupSite) {
  expect(readdirSync(dataDir).filter((name) => name.startsWith("copy-"))).toEqual([]);
  if (!postgres) return;
  const { rows } = await use(({ pool }) =>
    pool.query("select datname from pg_database where datname like '%copy%'"),
  );
  expect(rows).toEqual([]);
}

/** All rows of the product, but for what a restore ends. */
export async function readContents({ pool }: Connection): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' and relname not in ('sessions', 'verifications') order by 1`);
  const contents: Record<string, unknown> = {};
  for (const { name } of rows) {
    const found = await pool.query(
      `select count(*), md5(string_agg(t::text, '|' order by t::text)) from "${name}" t`,
    );
    contents[name] = found.rows[0];
  }
  return contents;
}
