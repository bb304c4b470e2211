import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { installJobs } from "#app/jobs.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { isOneOf } from "#app/platform/db.server.ts";
import { applicationName } from "#app/platform/postgres/bounded-pool.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { findMark, setMark } from "#app/platform/upload-owner.server.ts";
import { compareCounts, countRows, readCounts } from "./counts.ts";
import { HALF, listFiles, type Manifest, readBackup } from "./manifest.ts";
import { countAccounts, hasAccounts, settle, type Settled, touchUploads } from "./after-restore.ts";
import { openStore } from "./open-store.ts";
import { type Copy, type Place, withBackupLock } from "./store.ts";
import { namingFullDisk } from "#app/platform/full-disk.server.ts";

export interface Rehearsed extends Settled {
  rows: number;
  /** What check:ledger says of it. */
  differences: string[];
  /** Accounts that were deleted since the backup, and are back. */
  undeleted: string[];
}

/** Into a copy beside the database, which is dropped. */
export function rehearseRestore(place: Place, database: Connection, backup: string) {
  return withBackupLock(database, async (): Promise<Rehearsed> => {
    const { copy, ...rehearsed } = await prepareCopy(place, database, backup);
    await copy.drop();
    return rehearsed;
  });
}

export interface Restored extends Rehearsed {
  /** Where the database from before is; null where that was an empty one. */
  former: string | null;
}

interface Restore {
  backup: string;
  /** The name of the database, where it has accounts and is to be replaced. */
  replace: string | undefined;
  now: Date;
}

/** Into a copy too, which takes the place of the database once everything is right. */
export async function restoreBackup(
  place: Place,
  database: Connection,
  { backup, replace, now }: Restore,
): Promise<Restored> {
  const { copy, isEmpty, ...restored } = await withBackupLock(database, async () => {
    await checkTarget(database, replace);
    return { isEmpty: await hasNothing(database), ...(await prepareCopy(place, database, backup)) };
  });
  try {
    // Before the rows that name them.
    const uploads = path.join(place.dataDir, "uploads");
    await namingFullDisk(uploads, addUploads(path.join(backup, "uploads"), uploads));
    await touchUploads(place, now);
    return { ...restored, former: await copy.adopt(now, isEmpty ? "drop" : "keep") };
  } catch (error) {
    await copy.drop();
    throw error;
  }
}

/** Each has its name once it is whole, because the disk may fill. */
async function addUploads(from: string, to: string) {
  const half = path.join(to, HALF);
  try {
    for (const name of await listFiles(from)) {
      await mkdir(path.dirname(path.join(to, name)), { recursive: true });
      await copyFile(path.join(from, name), half);
      await rename(half, path.join(to, name));
    }
  } finally {
    await rm(half, { force: true });
  }
}

/** All of a restore but the swap. */
async function prepareCopy(place: Place, database: Connection, backup: string) {
  const manifest = await readBackup(backup);
  await checkVersion(manifest);
  const store = openStore(place, database);
  if (store.file !== manifest.database.file) throw new Error(OTHER_KIND);
  await store.checkPostgres(manifest.database.postgres);
  await store.dropLeftovers();
  const restored = store.restore(path.join(backup, store.file));
  // A server's disk may be another machine's.
  const copy = await (place.databaseUrl ? restored : namingFullDisk(place.dataDir, restored));
  try {
    const checked = await checkCopy(copy, manifest);
    const undeleted = await listAccounts(copy.database, await listDeleted(database));
    await setMark(copy.database.db, await findMark(database.db));
    return { copy, undeleted, ...checked, ...(await settle(copy.database, database)) };
  } catch (error) {
    await copy.drop();
    throw error;
  }
}

const OTHER_KIND =
  "A backup of the embedded database is restored without DATABASE_URL, one of a server with it";

async function checkCopy({ database }: Copy, { figures: counts, code }: Manifest) {
  const found = await readCounts(database.pool);
  const differences = compareCounts(counts, found);
  if (differences.length > 0) throw new Error(`Not as in the backup: ${differences.join("; ")}`);
  // The books can be read by the version that runs only.
  await migrate(database.pool).catch((cause: Error) => {
    const advice = code?.commit ? `: restore it with its own version, commit ${code.commit}` : "";
    throw new Error(`The backup cannot be migrated${advice} (${cause.message})`, { cause });
  });
  await installJobs(database.pool);
  const books = await checkBooks(database.db);
  return { rows: countRows(counts), differences: books.differences };
}

async function checkVersion({ figures: { schema } }: Manifest) {
  const known = (await readdir(path.join(projectRoot, "db", "migrations"))).sort().at(-1) ?? "";
  if (schema > known) {
    throw new Error(`The backup is of a newer version (${schema}): restore it with that version`);
  }
}

async function checkTarget({ pool }: Connection, replace: string | undefined) {
  const { rows } = await pool.query<{ name: string; others: number }>(
    `select current_database() as name,
      (select count(*)::int from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and application_name <> all($1)) as others`,
    [(["command", "session"] as const).map(applicationName)],
  );
  const { name, others } = rows[0]!;
  if (others > 0) {
    throw new Error(`Stop every process first: ${others} connections to ${name} are open`);
  }
  if (replace !== undefined && replace !== name) {
    throw new Error(`--replace ${replace}: the database is called ${name}`);
  }
  const count = await countAccounts(pool);
  if (count > 0 && replace === undefined) {
    throw new Error(`The database ${name} has ${count} accounts. To replace it: --replace ${name}`);
  }
}

/** Treats ours and another's database alike: one with any table is kept. */
async function hasNothing({ pool }: Connection): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_class where relnamespace not in (
      select oid from pg_namespace where starts_with(nspname, 'pg_') or nspname = 'information_schema'
    ) limit 1`,
  );
  return rows.length === 0;
}

/** Reads the database that is replaced, which may be a new one. */
async function listDeleted({ pool }: Connection): Promise<string[]> {
  if (!(await hasAccounts(pool))) return [];
  const { rows } = await pool.query<{ id: string }>(
    "select user_id as id from profiles where deleted_at is not null",
  );
  return rows.map(({ id }) => id);
}

async function listAccounts({ db }: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const profiles = db.selectFrom("profiles").select("user_id").where("deleted_at", "is", null);
  const found = await profiles.where(isOneOf("user_id", ids)).execute();
  return found.map(({ user_id }) => user_id);
}
