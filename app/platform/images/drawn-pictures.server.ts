import { createHash, randomUUID } from "node:crypto";
import { readFile, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ReactNode } from "react";
import sharp from "sharp";
import { fileName, type Files, readWholeFile } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";
import { drawSvg } from "./fonts.server.ts";
import { workOnPicture } from "./uploaded-images.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { namingFullDisk } from "#app/platform/full-disk.server.ts";

export interface Picture {
  width: number;
  height: number;
  owner?: string;
  facts: unknown;
  /** Read before it is queued, so that no other picture waits for the storage. */
  file?(): Promise<Buffer | null>;
  /** The file covers the background, so the drawing leaves it out. */
  isGround?: boolean;
  draw(file: Buffer | null): Promise<ReactNode>;
}

// No two pictures share a step, so a cache would only waste memory.
sharp.cache(false);

const underway = new Map<string, { png: Promise<Buffer | "busy">; kept: Promise<void> }>();

export function pictureKey({ width, height, facts }: Picture): string {
  const text = JSON.stringify([width, height, facts]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** From the cache, or rendered once for all who ask at once. "busy" if the wait is too long. */
export async function renderPicture(
  dataDir: string,
  picture: Picture,
  client = "this process",
): Promise<Buffer | "busy"> {
  const store = storeIn(dataDir);
  const key = `${prefixOf(picture.owner)}${pictureKey(picture)}`;
  const kept = await store.read(key);
  if (kept) return kept;
  const { png } = underway.get(key) ?? begin(store, key, picture, client);
  return png;
}

export async function deletePictures(dataDir: string, owner: string): Promise<void> {
  const prefix = prefixOf(owner);
  const theirs = [...underway].filter(([key]) => key.startsWith(prefix));
  await Promise.all(theirs.map(([, { kept }]) => kept));
  await storeIn(dataDir).delete(prefix);
}

const storeIn = (dataDir: string) => createPictureStore(path.join(dataDir, "cache", "pictures"));

const prefixOf = (owner: string | undefined) => (owner ? `${owner}.` : "");

function begin(store: ReturnType<typeof storeIn>, key: string, picture: Picture, client: string) {
  const png = readAndRender(picture, client);
  const isDone = () => void underway.delete(key);
  const keep = async (bytes: Buffer | "busy") => {
    if (bytes !== "busy") await store.write(key, bytes);
  };
  const kept = png.then(keep).then(isDone, isDone);
  underway.set(key, { png, kept });
  return { png, kept };
}

async function readAndRender(picture: Picture, client: string): Promise<Buffer | "busy"> {
  const file = (await picture.file?.()) ?? null;
  return workOnPicture({ client, account: picture.owner ?? "" }, () => render(picture, file));
}

async function render(picture: Picture, file: Buffer | null): Promise<Buffer> {
  const { width, height, isGround } = picture;
  const svg = Buffer.from(await drawSvg(await picture.draw(file), width, height));
  const drawn =
    isGround && file
      ? sharp(file)
          .resize(width, height, { fit: "cover" })
          .composite([{ input: svg }])
      : sharp(svg);
  // In full colour a picture is up to five times as large.
  return drawn.png({ palette: true, quality: 92, effort: 4 }).toBuffer();
}

/** Null for any other address, which is never fetched, and for a missing file. */
export async function readOwnPicture(files: Files, url: string): Promise<Buffer | null> {
  const name = fileName(url);
  if (name) return readWholeFile(files, name);
  const [, photo] = OWN_PHOTO.exec(url) ?? [];
  if (!photo) return null;
  return readFile(path.join(projectRoot, "public", "photos", photo)).catch(logUnlessMissing);
}

// No dot except before the extension, so that nothing leads out of the folder.
const OWN_PHOTO = /^\/photos\/([\w-]+\.(?:webp|jpg|png))$/;

export async function squareDataUrl(file: Buffer, side: number): Promise<string | null> {
  try {
    const image = sharp(file, { limitInputPixels: 40_000_000 });
    const square = image.autoOrient().resize(side, side, { fit: "cover" }).flatten();
    const jpeg = await square.jpeg({ quality: 90 }).toBuffer();
    return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
  } catch (error) {
    log.warn({ err: error }, "a picture could not be read");
    return null;
  }
}

const KEPT = 400;
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** Deletes files least recently used or a week old. Disk errors only cost a rendering. */
export function createPictureStore(folder: string, kept = KEPT) {
  const fileOf = (key: string) => path.join(folder, `${key}.png`);
  return {
    async delete(prefix: string): Promise<void> {
      try {
        const names = await readdir(folder);
        const theirs = names.filter((name) => name.startsWith(prefix));
        await Promise.all(theirs.map((name) => rm(path.join(folder, name), { force: true })));
      } catch (error) {
        logUnlessMissing(error);
      }
    },
    async read(key: string): Promise<Buffer | null> {
      try {
        const file = await readFile(fileOf(key));
        const now = new Date();
        await utimes(fileOf(key), now, now);
        return file;
      } catch (error) {
        return logUnlessMissing(error);
      }
    },
    async write(key: string, png: Buffer): Promise<void> {
      // Renamed into place, so that no process reads a partial file.
      const draft = path.join(folder, `${randomUUID()}.draft`);
      try {
        await mkdir(folder, { recursive: true });
        await namingFullDisk(folder, writeFile(draft, png));
        await rename(draft, fileOf(key));
        await tidy(folder, kept);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        log.warn({ err: error }, "a picture could not be kept");
      }
    },
  };
}

function logUnlessMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT") log.warn({ err: error }, "a picture's file could not be read or deleted");
  return null;
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
