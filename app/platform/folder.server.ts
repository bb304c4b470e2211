import { openAsBlob } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { namingFullDisk } from "./full-disk.server.ts";

export function openFolder(folder: string) {
  return {
    async write(name: string, bytes: Buffer): Promise<void> {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await namingFullDisk(folder, writeFile(file, bytes, { flag: "wx" }));
    },
    async read(name: string) {
      const file = path.join(folder, name);
      const blob = await openBlob(file).catch((error: Error) => error);
      // After it, because a file may go at any time: only this tells a missing one from a failure.
      const found = await stat(file).catch(nullIfMissing);
      if (!found?.isFile()) return null;
      if (blob instanceof Error) throw blob;
      // Opened only when it is read, so that an unread body holds no file open.
      return { body: blob.stream() as ReadableStream<Uint8Array>, size: blob.size };
    },
    async remove(name: string): Promise<void> {
      await rm(path.join(folder, name), { force: true });
    },
    async list() {
      const listed = [];
      for (const entry of await listEntries(folder)) {
        const name = entry.replaceAll(path.sep, "/");
        const found = await stat(path.join(folder, entry)).catch(nullIfMissing);
        if (found) listed.push({ name, size: found.size, changedAt: found.mtime });
      }
      return listed;
    },
  };
}

/** It throws at once what others reject with. */
async function openBlob(file: string): Promise<Blob> {
  return openAsBlob(file);
}

async function listEntries(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(nullIfMissing);
  return found ? readdir(folder, { recursive: true }) : [];
}

function nullIfMissing(error: unknown): null {
  if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return null;
  throw error;
}
