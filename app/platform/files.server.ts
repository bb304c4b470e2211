import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

const NAME = /^[a-z]{1,40}\/[a-z0-9-]{1,80}\.(?:webp|avif)$/;
const TYPES: Record<string, string> = { webp: "image/webp", avif: "image/avif" };
const PREFIX = "/files/";

/** A stored file never changes: a new version gets a new name. */
export async function storeFile(dataDir: string, name: string, bytes: Buffer): Promise<void> {
  const file = placeOf(dataDir, name);
  if (!file) throw new Error(`no name for a file: ${name}`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes, { flag: "wx" });
}

export async function removeFile(dataDir: string, name: string): Promise<void> {
  const file = placeOf(dataDir, name);
  if (file) await rm(file, { force: true });
}

export async function listStoredFiles(dataDir: string, before: Date): Promise<string[]> {
  const uploads = path.join(dataDir, "uploads");
  const entries = existsSync(uploads) ? await readdir(uploads, { recursive: true }) : [];
  // Lists only files whose names we generated.
  const names = entries.map((entry) => entry.replaceAll(path.sep, "/"));
  const listed: string[] = [];
  for (const name of names.filter((each) => NAME.test(each))) {
    const changed = await stat(path.join(uploads, name)).catch(() => null);
    if (changed && changed.mtimeMs < before.getTime()) listed.push(name);
  }
  return listed;
}

export async function readStoredFile(
  dataDir: string,
  name: string,
): Promise<{ bytes: Buffer<ArrayBuffer>; type: string } | null> {
  const file = placeOf(dataDir, name);
  if (!file) return null;
  try {
    return { bytes: await readFile(file), type: TYPES[path.extname(file).slice(1)]! };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function fileUrl(name: string): string {
  return PREFIX + name;
}

export function fileName(url: string | null): string | null {
  const name = url?.startsWith(PREFIX) ? url.slice(PREFIX.length) : "";
  return NAME.test(name) ? name : null;
}

// No dots or further slashes, so that no name leads out of the folder.
function placeOf(dataDir: string, name: string): string | null {
  return NAME.test(name) ? path.join(dataDir, "uploads", name) : null;
}
