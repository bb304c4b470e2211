import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { connectWithoutLimits } from "./db.server.ts";
import { projectRoot } from "./root.server.ts";

// Any constant serves; it only has to be the same in every process that migrates.
const MIGRATION_LOCK = 7_102_025;

/**
 * Applies the files of db/migrations that are not applied yet, in order, each in one transaction,
 * under an advisory lock: several processes may start at once. Returns the names applied.
 * Refuses when a file that was applied has been changed since.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  // Neither a long migration nor waiting for another process's may time out.
  const client = await connectWithoutLimits(pool);
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    return await applyPending(client);
  } finally {
    // The lock goes with its connection.
    await client.end();
  }
}

async function applyPending(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query("select name, checksum from schema_migrations");
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const done: string[] = [];
  for (const { name, text, checksum } of await readMigrations()) {
    const before = applied.get(name);
    if (before === checksum) continue;
    if (before) throw new Error(`${name} was changed after it was applied; add a new migration`);
    await applyOne(client, name, text, checksum);
    done.push(name);
  }
  return done;
}

async function applyOne(client: pg.Client, name: string, text: string, checksum: string) {
  try {
    await client.query("begin");
    await client.query(text);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      name,
      checksum,
    ]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`migration ${name} failed and changed nothing: ${why}`, { cause });
  }
}

async function readMigrations() {
  const folder = path.join(projectRoot, "db", "migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}
