import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { log } from "./log.server.ts";
import { isKnownAbort, OutcomeUnknownError } from "./postgres/commit-outcome.server.ts";
import { withSessionLock } from "./postgres/session-locks.server.ts";
import { projectRoot } from "./root.server.ts";

const MIGRATIONS = path.join(projectRoot, "db", "migrations");

// Anybody who wants a table waits behind a migration that waits for it. So it waits for less time than
// a request does (REQUEST_LIMITS), and long enough for PostgreSQL to end an autovacuum, after 1 s.
const RETRIES = { lockMs: 2_000, pauseMs: 2_000, tries: 30 };

/** Each new file in a transaction, under a lock. Throws if other files set up the database. */
export function migrate(pool: pg.Pool, folder = MIGRATIONS, retries = RETRIES): Promise<string[]> {
  // Neither a long migration nor the wait for another process may time out.
  return withSessionLock(pool, { lock: "migrations" }, (client) =>
    applyPending(client, folder, retries),
  );
}

async function applyPending(
  client: pg.Client,
  folder: string,
  retries: typeof RETRIES,
): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query("select name, checksum from schema_migrations order by name");
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const files = await readMigrations(folder);
  checkHistory(files, applied);
  warnOfNewer(files, applied);
  const pending = files.filter(({ name }) => !applied.has(name));
  for (const migration of pending) await applyWithRetries(client, migration, retries);
  return pending.map(({ name }) => name);
}

/** Later names belong to a newer version; an older process may still run beside it. */
function checkHistory(files: Migration[], applied: Map<string, string>) {
  const known = new Set(files.map(({ name }) => name));
  const last = files.at(-1)?.name ?? "";
  const gone = [...applied.keys()].find((name) => !known.has(name) && name < last);
  const changed = files.find(
    ({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum,
  )?.name;
  if (!gone && !changed) return;
  const why = gone
    ? `${gone} is not in db/migrations`
    : `${changed} was changed after it was applied`;
  throw new Error(
    `This database was set up by another version (${why}): run that version. If it holds nothing ` +
      "but the demo, `npm run db:reset` deletes everything in it and fills it again.",
  );
}

function warnOfNewer(files: Migration[], applied: Map<string, string>) {
  const last = files.at(-1)?.name ?? "";
  const newer = [...applied.keys()].filter((name) => name > last);
  if (newer.length > 0) log.warn({ newer }, "the database is of a newer version than this one");
}

async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  { lockMs, pauseMs, tries }: typeof RETRIES,
) {
  const { name } = migration;
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await applyOne(client, migration, lockMs);
    } catch (cause) {
      const isLocked = IN_USE.has((cause as { code?: string }).code ?? "");
      if (!isLocked || left === 0) throw failure(name, cause, isLocked ? HELD : "");
      log.warn({ name, left }, "a migration waits for a table that is in use");
      await delay(pauseMs);
    }
  }
}

async function applyOne(client: pg.Client, { name, text, checksum }: Migration, lockMs: number) {
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockMs}`);
    await client.query(text);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      name,
      checksum,
    ]);
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
  await commit(client);
}

/** The outcome is not queried: another run finds what was applied. */
async function commit(client: pg.Client) {
  try {
    await client.query("commit");
  } catch (cause) {
    throw isKnownAbort(cause) ? cause : new OutcomeUnknownError({ cause });
  }
}

// A lock that is not to be had in time, and a deadlock with a version that still runs.
const IN_USE = new Set(["55P03", "40P01"]);
const HELD =
  ". What it changes is in use, by a backup or another long transaction (pg_stat_activity, by " +
  "xact_start): run it again when that has ended.";

function failure(name: string, cause: unknown, advice: string): Error {
  if (cause instanceof OutcomeUnknownError) {
    const unknown = `it is not known whether migration ${name} was applied`;
    return new Error(`${unknown}: the answer to its COMMIT was lost. Run it again.`, { cause });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`migration ${name} failed and changed nothing: ${why}${advice}`, { cause });
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}
