import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";
import {
  PHOTO_FORMS,
  photoFiles,
  type PhotoFile,
  isJpegOrPng,
  workOnPicture,
} from "#app/platform/images/uploaded-images.server.ts";
import {
  type AdminVenue,
  findAdminVenue,
  lockVenue,
  type VenuePhoto,
} from "./admin-venues.server.ts";
import { PHOTO_MAX_BYTES, PHOTOS_MAX } from "./rules.ts";

interface Storage {
  db: Db;
  files: Files;
}

export interface SentPhoto {
  name: string;
  size: number;
  read(): Promise<Buffer>;
}

export type PhotoProblem = "not-an-image" | "too-large" | "unreadable" | "busy" | "too-many";

/** Keeps the good files whatever is wrong with others; encodes before the transaction begins. */
export async function addPhotos(
  { db, files }: Storage,
  { venueId, sent, actor }: { venueId: string; sent: SentPhoto[]; actor: string },
): Promise<
  | { ok: true; added: number; rejected: { name: string; reason: PhotoProblem }[] }
  | { ok: false; reason: "gone" }
> {
  const venue = await findAdminVenue(db, venueId);
  if (!venue) return { ok: false, reason: "gone" };
  const room = PHOTOS_MAX - venue.photos.length;
  const rejected: { name: string; reason: PhotoProblem }[] = [];
  const stored: { name: string; url: string }[] = [];
  try {
    for (const photo of sent) {
      const result = stored.length < room ? await encode(files, photo, actor) : TOO_MANY;
      if ("reason" in result) rejected.push({ name: photo.name, ...result });
      else stored.push({ name: photo.name, ...result });
    }
    const kept = await append(db, venueId, { urls: stored.map(({ url }) => url), actor });
    // Another upload may have taken the last places meanwhile.
    const left = stored.slice(kept ?? 0);
    await deletePhotos(files, left);
    if (kept === null) return { ok: false, reason: "gone" };
    rejected.push(...left.map(({ name }) => ({ name, ...TOO_MANY })));
    return { ok: true, added: kept, rejected };
  } catch (error) {
    await deletePhotos(files, stored);
    throw error;
  }
}

const TOO_MANY = { reason: "too-many" as const };

type Encoded = { url: string } | { reason: PhotoProblem };

async function encode(files: Files, photo: SentPhoto, actor: string): Promise<Encoded> {
  if (photo.size > PHOTO_MAX_BYTES) return { reason: "too-large" };
  const requester = { client: actor, account: actor };
  const encoded = await workOnPicture(requester, async () => {
    const bytes = await photo.read();
    if (!isJpegOrPng(bytes)) return "not-an-image";
    return (await photoFiles(bytes)) ?? "unreadable";
  });
  // Stored outside the queue, so that nobody else's picture waits for the storage.
  if (typeof encoded === "string") return { reason: encoded };
  return { url: await storePhoto(files, encoded) };
}

async function storePhoto(files: Files, forms: PhotoFile[]): Promise<string> {
  const photo = `photos/${randomBytes(16).toString("hex")}`;
  const url = fileUrl(`${photo}-800.webp`);
  try {
    for (const { width, format, bytes } of forms) {
      await files.store(`${photo}-${width}.${format}`, bytes);
    }
    return url;
  } catch (error) {
    await deletePhotos(files, [{ url }]);
    throw error;
  }
}

async function append(
  db: Db,
  venueId: string,
  { urls, actor }: { urls: string[]; actor: string },
): Promise<number | null> {
  if (urls.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    const venue = await lockVenue(tx, venueId);
    if (!venue) return null;
    const added = urls.slice(0, Math.max(PHOTOS_MAX - venue.photos.length, 0));
    if (added.length === 0) return 0;
    const photos = [...venue.photos, ...added.map((url) => ({ url, alt: "" }))];
    await savePhotos(tx, venue, photos, { actor, action: "venue.add-photos" });
    return added.length;
  });
}

/** Photos left out are removed. "changed" where somebody has saved the venue since `version`. */
export async function arrangePhotos(
  { db, files }: Storage,
  change: { venueId: string; version: number; photos: VenuePhoto[]; actor: string },
) {
  const { venueId, version, photos, actor } = change;
  const result = await db.transaction().execute(async (tx) => {
    const current = await lockVenue(tx, venueId);
    if (!current) return { ok: false, reason: "gone" } as const;
    if (isDeepStrictEqual(current.photos, photos)) return { ok: true, orphans: [] } as const;
    const known = new Set(current.photos.map(({ url }) => url));
    if (current.version !== version || photos.some(({ url }) => !known.has(url))) {
      return { ok: false, reason: "changed", current } as const;
    }
    await savePhotos(tx, current, photos, { actor, action: "venue.arrange-photos" });
    return { ok: true, orphans: await listOrphans(tx, [...known]) } as const;
  });
  // After the commit: had the transaction failed, the venue would name files that are gone.
  if (!result.ok) return result;
  await deletePhotos(files, result.orphans);
  return { ok: true } as const;
}

async function savePhotos(
  tx: Tx,
  venue: AdminVenue,
  photos: VenuePhoto[],
  { actor, action }: { actor: string; action: "venue.add-photos" | "venue.arrange-photos" },
) {
  await tx
    .updateTable("venues")
    .set({ photo_urls: photos.map(({ url }) => url), photo_alts: photos.map(({ alt }) => alt) })
    .where("id", "=", venue.id)
    .execute();
  const details = { before: { photos: venue.photos }, after: { photos } };
  await recordAudit(tx, { actor, action, subject: venue.id, details });
}

async function listOrphans(tx: Tx, urls: string[]) {
  const { rows } = await sql<{ url: string }>`
    select url from unnest(${urls}::text[]) as former (url)
    where not exists (select from venues where former.url = any (photo_urls))`.execute(tx);
  return rows;
}

async function deletePhotos(files: Files, photos: readonly { url: string }[]): Promise<void> {
  try {
    for (const { url } of photos) {
      const [, name] = /^(photos\/[0-9a-f]+)-\d+\.webp$/.exec(fileName(url) ?? "") ?? [];
      if (!name) continue;
      for (const { width, format } of PHOTO_FORMS) {
        await files.remove(`${name}-${width}.${format}`);
      }
    }
  } catch (error) {
    log.warn({ err: error }, "a photo's files could not be deleted");
  }
}
