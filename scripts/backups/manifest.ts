import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const DATE_OF_NAME = /^kickabout-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;
const size = z.number().int().nonnegative();
const format = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** What to restore it with; backups from before have none. */
  code: z.object({ version: z.string(), commit: z.string().nullable() }).optional(),
  database: z.object({ file: z.string(), sha256: z.string(), postgres: z.string() }),
  figures: z.object({
    schema: z.string(),
    credits: z.string(),
    rows: z.record(z.string(), size),
  }),
  uploads: z.object({ files: size, bytes: size, sha256: z.string() }),
});

export type Manifest = z.infer<typeof format>;
export type Counts = Manifest["figures"];

export const MANIFEST = "manifest.json";
/** Unfinished, or about to be deleted. */
export const HALF = ".half-";

export const nameOfBackup = (now: Date) => `kickabout-${now.toISOString().replaceAll(":", "")}`;

/** The finished backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const names = isFolder ? await readdir(folder) : [];
  return names.filter((name) => DATE_OF_NAME.test(name)).sort();
}

/** A backup, or the newest in a folder of backups. */
export async function findBackup(folder: string): Promise<string> {
  if (existsSync(path.join(folder, MANIFEST))) return folder;
  const newest = (await listBackups(folder)).at(-1);
  if (!newest) throw new Error(`${folder} has no backup`);
  return path.join(folder, newest);
}

/** Throws unless every byte is as it was when the backup was taken. */
export async function readBackup(backup: string): Promise<Manifest> {
  const text = await readFile(path.join(backup, MANIFEST), "utf8").catch(() => "");
  const manifest = format.safeParse(parseOrNull(text)).data;
  if (!manifest) throw new Error(`${backup} is not a backup that this version can read`);
  const { database, uploads } = manifest;
  const found = await hashFile(path.join(backup, database.file)).catch(() => null);
  if (found !== database.sha256) throw new Error(`${backup} is damaged: ${database.file}`);
  const files = await describeFiles(path.join(backup, "uploads"));
  if (files.sha256 !== uploads.sha256) throw new Error(`${backup} is damaged: uploads`);
  return manifest;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Counts and hashes all files below a folder, by name. */
export async function describeFiles(folder: string): Promise<Manifest["uploads"]> {
  const hash = createHash("sha256");
  let [files, bytes] = [0, 0];
  for (const name of await listFiles(folder)) {
    const file = path.join(folder, name);
    hash.update(`${await hashFile(file)} ${name}\n`);
    files += 1;
    bytes += (await stat(file)).size;
  }
  return { files, bytes, sha256: hash.digest("hex") };
}

export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    noneIfMissing,
  );
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
