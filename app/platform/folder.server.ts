import { existsSync, openAsBlob } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

export function openFolder(folder: string) {
  return {
    async write(name: string, bytes: Buffer): Promise<void> {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: "wx" });
    },
    async read(name: string) {
      const file = path.join(folder, name);
      const found = await stat(file).catch(nullIfMissing);
      if (!found?.isFile()) return null;
      // Opened only when it is read, so that an unread body holds no file open.
      const blob = await openAsBlob(file);
      return { body: blob.stream() as ReadableStream<Uint8Array>, size: blob.size };
    },
    async remove(name: string): Promise<void> {
      await rm(path.join(folder, name), { force: true });
    },
    async list() {
      const entries = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
      const listed = [];
      for (const entry of entries) {
        const name = entry.replaceAll(path.sep, "/");
        const found = await stat(path.join(folder, entry)).catch(() => null);
        if (found) listed.push({ name, size: found.size, changedAt: found.mtime });
      }
      return listed;
    },
  };
}

function nullIfMissing(error: unknown): null {
  if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return null;
  throw error;
}
