import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { log } from "#app/platform/log.server.ts";

const KEPT = 400;
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** Deletes the least recently used, and those a week old. Disk errors only cost a rendering. */
export function createPictureStore(folder: string, kept = KEPT) {
  const fileOf = (key: string) => path.join(folder, `${key}.png`);
  return {
    async forget(prefix: string): Promise<void> {
      try {
        const names = await readdir(folder);
        const theirs = names.filter((name) => name.startsWith(prefix));
        await Promise.all(theirs.map((name) => rm(path.join(folder, name), { force: true })));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
        log.warn({ err: error }, "kept pictures could not be deleted");
      }
    },
    async read(key: string): Promise<Buffer | null> {
      try {
        const file = await readFile(fileOf(key));
        const now = new Date();
        await utimes(fileOf(key), now, now);
        return file;
      } catch {
        return null;
      }
    },
    async write(key: string, png: Buffer): Promise<void> {
      // Renamed into place, so that no process reads half a picture.
      const draft = path.join(folder, `${randomUUID()}.draft`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(draft, png);
        await rename(draft, fileOf(key));
        await tidy(folder, kept);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        log.warn({ err: error }, "a picture could not be kept");
      }
    },
  };
}

async function tidy(folder: string, kept: number) {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
      return { file, mtimeMs };
    }),
  );
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const lastWeek = Date.now() - WEEK_MS;
  const surplus = files.filter(({ mtimeMs }, index) => index >= kept || mtimeMs < lastWeek);
  await Promise.all(surplus.map(({ file }) => rm(file, { force: true })));
}
