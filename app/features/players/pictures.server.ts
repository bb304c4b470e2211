import { randomBytes } from "node:crypto";
import type { Db } from "#app/platform/db.server.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";
import {
  workOnPicture,
  isJpegOrPng,
  type SquareCrop,
  squareWebps,
} from "#app/platform/images/uploaded-images.server.ts";
import { PICTURE_MAX_BYTES } from "./rules.ts";

/** Pixels, square: for cards and profiles, and for lists. */
const SIZES = [512, 128];

interface PictureDependencies {
  db: Db;
  files: Files;
}

/** "unreadable" if the file is broken or larger than 25 megapixels. */
export async function changePicture(
  { db, files }: PictureDependencies,
  { userId, bytes, crop }: { userId: string; bytes: Buffer; crop: SquareCrop | null },
): Promise<
  { ok: true } | { ok: false; reason: "not-an-image" | "too-large" | "unreadable" | "busy" }
> {
  if (bytes.length > PICTURE_MAX_BYTES) return { ok: false, reason: "too-large" };
  if (!isJpegOrPng(bytes)) return { ok: false, reason: "not-an-image" };
  const requester = { client: userId, account: userId };
  const pictures = await workOnPicture(requester, () => squareWebps(bytes, crop, SIZES));
  if (!Array.isArray(pictures)) return { ok: false, reason: pictures ?? "unreadable" };
  const names = namesOf(randomBytes(16).toString("hex"));
  try {
    await Promise.all(names.map((name, index) => files.store(name, pictures[index]!)));
    await replacePicture({ db, files }, userId, fileUrl(names[0]!));
  } catch (error) {
    await removeAll(files, names);
    throw error;
  }
  return { ok: true };
}

export function removePicture(parts: PictureDependencies, userId: string): Promise<void> {
  return replacePicture(parts, userId, null);
}

/** Call it only when no profile names the picture any more. */
export async function deletePictureFiles(files: Files, url: string | null): Promise<void> {
  const id = /^avatars\/([a-z0-9]+)-\d+\.webp$/.exec(fileName(url) ?? "")?.[1];
  if (id) await removeAll(files, namesOf(id));
}

async function replacePicture(
  { db, files }: PictureDependencies,
  userId: string,
  url: string | null,
) {
  const before = await db.transaction().execute(async (tx) => {
    const profile = tx.selectFrom("profiles").where("user_id", "=", userId);
    const stored = profile.select("profile_picture_url as url").forUpdate();
    const { url: old } = await stored.executeTakeFirstOrThrow();
    const update = tx.updateTable("profiles").set({ profile_picture_url: url });
    await update.where("user_id", "=", userId).execute();
    return old;
  });
  // After the commit: had the transaction failed, the profile would name deleted files.
  await deletePictureFiles(files, before);
}

function namesOf(id: string): string[] {
  return SIZES.map((size) => `avatars/${id}-${size}.webp`);
}

/** A file that cannot be deleted is left to sweepFiles. */
async function removeAll(files: Files, names: string[]) {
  try {
    await Promise.all(names.map((name) => files.remove(name)));
  } catch (error) {
    log.warn({ err: error }, "a picture's files could not be deleted");
  }
}
