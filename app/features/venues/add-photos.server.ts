import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { photoFiles, isJpegOrPng } from "#app/platform/images/uploaded-images.server.ts";
import { workOnPicture } from "#app/platform/images/image-queue.server.ts";
import { findDeskVenue, lockVenue } from "./desk-venues.server.ts";
import { deletePhotos, storePhoto } from "./photo-files.server.ts";
import { PHOTO_MAX_BYTES, PHOTOS_MAX } from "./rules.ts";

interface Parts {
  db: Db;
  dataDir: string;
}

/** A file as it was sent; its bytes are read when its turn comes. */
export interface SentPhoto {
  name: string;
  size: number;
  read(): Promise<Buffer>;
}

export type PhotoProblem = "not-an-image" | "too-large" | "unreadable" | "busy" | "too-many";

export type AddPhotosAnswer =
  | { ok: true; added: number; refused: { name: string; reason: PhotoProblem }[] }
  | { ok: false; reason: "gone" };

/**
 * Adds photos behind those that a venue has: each decoded and written anew, in every width, before
 * the transaction begins. The good ones are kept, whatever is wrong with others: "unreadable" where a
 * file is broken or larger than 25 megapixels, "busy" where too many wait already.
 */
export async function addPhotos(
  { db, dataDir }: Parts,
  { venueId, sent, actor }: { venueId: string; sent: SentPhoto[]; actor: string },
): Promise<AddPhotosAnswer> {
  const venue = await findDeskVenue(db, venueId);
  if (!venue) return { ok: false, reason: "gone" };
  const room = PHOTOS_MAX - venue.photos.length;
  const refused: { name: string; reason: PhotoProblem }[] = [];
  const stored: { name: string; url: string }[] = [];
  try {
    for (const photo of sent) {
      const answer = stored.length < room ? await storeSent(dataDir, photo, actor) : TOO_MANY;
      if ("reason" in answer) refused.push({ name: photo.name, ...answer });
      else stored.push({ name: photo.name, ...answer });
    }
    const kept = await append(db, venueId, { urls: stored.map(({ url }) => url), actor });
    // Whoever adds at the same moment may have taken the last places.
    const left = stored.slice(kept ?? 0);
    await deletePhotos(
      dataDir,
      left.map(({ url }) => url),
    );
    if (kept === null) return { ok: false, reason: "gone" };
    refused.push(...left.map(({ name }) => ({ name, ...TOO_MANY })));
    return { ok: true, added: kept, refused };
  } catch (error) {
    await deletePhotos(
      dataDir,
      stored.map(({ url }) => url),
    );
    throw error;
  }
}

const TOO_MANY = { reason: "too-many" as const };

type Stored = { url: string } | { reason: PhotoProblem };

/** The address of a photo that is stored now, or why it is not. */
async function storeSent(dataDir: string, photo: SentPhoto, actor: string): Promise<Stored> {
  if (photo.size > PHOTO_MAX_BYTES) return { reason: "too-large" };
  const turn = { client: actor, account: actor };
  const stored = await workOnPicture(turn, async (): Promise<Stored> => {
    const bytes = await photo.read();
    if (!isJpegOrPng(bytes)) return { reason: "not-an-image" };
    const files = await photoFiles(bytes);
    return files ? { url: await storePhoto(dataDir, files) } : { reason: "unreadable" };
  });
  return stored === "busy" ? { reason: "busy" } : stored;
}

/** How many of them the venue has room for and now names, or null where it is gone. */
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
    await tx
      .updateTable("venues")
      .set({ photo_urls: photos.map(({ url }) => url), photo_alts: photos.map(({ alt }) => alt) })
      .where("id", "=", venueId)
      .execute();
    const details = { before: { photos: venue.photos }, after: { photos } };
    await recordDeed(tx, { actor, action: "venue.add-photos", subject: venueId, details });
    return added.length;
  });
}
