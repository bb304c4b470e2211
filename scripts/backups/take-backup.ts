import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";
import type { Connection } from "#app/platform/connect.server.ts";
import { OWNER } from "#app/platform/files.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { checkMigrated } from "./counts.ts";
import {
  describeFiles,
  HALF,
  hashFile,
  listBackups,
  listFiles,
  MANIFEST,
  type Manifest,
  nameOfBackup,
} from "./manifest.ts";
import { openStore } from "./open-store.ts";
import { type Place, postgresVersion, withBackupLock } from "./store.ts";
import { namingFullDisk } from "#app/platform/full-disk.server.ts";

const DAY_MS = 86_400_000;
/** Kept at any age: a clock that is wrong for a day would make all others too old. */
const KEPT = 7;

export interface Taken {
  backup: string;
  manifest: Manifest;
  /** False in a container, which has its configuration from elsewhere. */
  hasSessionSecret: boolean;
}

/** A folder that is complete once it has its name; then those older than `keepDays` are deleted, but for the newest. */
export function takeBackup(
  place: Place,
  database: Connection,
  { folder, keepDays, now }: { folder: string; keepDays: number | null; now: Date },
): Promise<Taken> {
  const taken = withBackupLock(database, async (client) => {
    const store = openStore(place, database);
    await checkMigrated(client);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeHalves(folder);
    if (!place.databaseUrl) await store.dropLeftovers();
    const name = nameOfBackup(now);
    const half = path.join(folder, HALF + name);
    await mkdir(half, { mode: 0o700 });
    try {
      const file = path.join(half, store.file);
      const counts = await store.dump(client, file);
      const before = (await listBackups(folder)).at(-1) ?? "";
      const uploads = await copyUploads({
        from: path.join(place.dataDir, "uploads"),
        to: path.join(half, "uploads"),
        before: path.join(folder, before, "uploads"),
      });
      const hasSessionSecret = await copySecrets(place.dataDir, half);
      const postgres = await postgresVersion(database);
      const written = { file: store.file, sha256: await hashFile(file), postgres };
      const [takenAt, code] = [now.toISOString(), await describeCode()];
      const manifest: Manifest = {
        format: 1,
        takenAt,
        code,
        database: written,
        figures: counts,
        uploads,
      };
      await writeFile(path.join(half, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await rename(half, path.join(folder, name));
      if (keepDays !== null) await removeOld(folder, new Date(now.getTime() - keepDays * DAY_MS));
      return { backup: path.join(folder, name), manifest, hasSessionSecret };
    } catch (error) {
      await rm(half, { recursive: true, force: true });
      throw error;
    }
  });
  return namingFullDisk(folder, taken);
}

/** After the database: every picture that its rows name is there, unless deleted meanwhile. Without the mark. */
async function copyUploads({ from, to, before }: Record<"from" | "to" | "before", string>) {
  await mkdir(to);
  for (const name of (await listFiles(from)).filter((each) => each !== OWNER)) {
    const [source, copy] = [path.join(from, name), path.join(to, name)];
    await mkdir(path.dirname(copy), { recursive: true });
    if (await linkSame(path.join(before, name), source, copy)) continue;
    await copyFile(source, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  return describeFiles(to);
}

/**
 * The same file as the backup before has, or a picture would be on the disk once for each day. Compared
 * by content: one that was damaged there is copied again. Not every file system has links.
 */
async function linkSame(before: string, source: string, copy: string): Promise<boolean> {
  const sizes = await Promise.all([stat(before), stat(source)]).catch(() => null);
  if (!sizes || sizes[0].size !== sizes[1].size) return false;
  try {
    if ((await hashFile(before)) !== (await hashFile(source))) return false;
    await link(before, copy);
    return true;
  } catch {
    return false;
  }
}

/** An image has no commit. Its folder may be another user's, to which git objects. */
async function describeCode(): Promise<Manifest["code"]> {
  const { version } = JSON.parse(
    await readFile(path.join(projectRoot, "package.json"), "utf8"),
  ) as { version: string };
  const args = ["-c", `safe.directory=${projectRoot}`, "-C", projectRoot, "rev-parse", "HEAD"];
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return { version, commit: status === 0 ? stdout.trim() : null };
}

/** Without SESSION_SECRET, two-factor sign-in and waiting links are lost. */
async function copySecrets(dataDir: string, to: string): Promise<boolean> {
  const files = { env: ".env", "secrets.json": path.join(dataDir, "secrets.json") };
  const found = Object.entries(files).filter(([, file]) => existsSync(file));
  for (const [name, file] of found) await copyFile(file, path.join(to, name));
  const env = await readFile(path.join(to, "env"), "utf8").catch(() => "");
  return Boolean(parseEnv(env).SESSION_SECRET);
}

async function removeHalves(folder: string) {
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(HALF))) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Renamed first, so that a backup is whole as long as it has its name. */
async function removeOld(folder: string, before: Date) {
  const mayGo = (await listBackups(folder)).slice(0, -KEPT);
  for (const name of mayGo.filter((each) => each < nameOfBackup(before))) {
    await rename(path.join(folder, name), path.join(folder, HALF + name));
  }
  await removeHalves(folder);
}
