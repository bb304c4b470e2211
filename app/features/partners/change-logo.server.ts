import { randomBytes } from "node:crypto";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { fileName, fileUrl, removeFile, storeFile } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isImage, logoWebp } from "#app/platform/images/uploaded-images.server.ts";
import { workOnPicture } from "#app/platform/images/image-queue.server.ts";
import { lockPartner } from "./partners.server.ts";
import { LOGO_MAX_BYTES, LOGO_SIDE } from "./rules.ts";

interface Parts {
  db: Db;
  dataDir: string;
}

export type LogoAnswer =
  | { ok: true }
  | { ok: false; reason: "not-an-image" | "too-large" | "unreadable" | "busy" | "gone" };

/**
 * Gives a partner the logo of an image file: drawn anew in its own shape, under a name that nobody
 * can guess. The logo before it is deleted. "unreadable" where the file is broken, larger
 * than 25 megapixels, or a drawing that refers to something outside itself.
 */
export async function changeLogo(
  { db, dataDir }: Parts,
  { partnerId, bytes, actor }: { partnerId: string; bytes: Buffer; actor: string },
): Promise<LogoAnswer> {
  if (bytes.length > LOGO_MAX_BYTES) return { ok: false, reason: "too-large" };
  if (!isImage(bytes)) return { ok: false, reason: "not-an-image" };
  const logo = await encode(actor, bytes);
  if (!Buffer.isBuffer(logo)) return { ok: false, reason: logo };
  const name = `partners/${randomBytes(16).toString("hex")}.webp`;
  try {
    await storeFile(dataDir, name, logo);
    const change = { partnerId, logoUrl: fileUrl(name), actor };
    const replaced = await replaceLogo(db, change);
    // Only now: had the transaction failed, the partner would name what is gone.
    await deleteLogoFile(dataDir, replaced ? replaced.logoUrl : change.logoUrl);
    return replaced ? { ok: true } : { ok: false, reason: "gone" };
  } catch (error) {
    await deleteLogoFile(dataDir, fileUrl(name));
    throw error;
  }
}

/** Deletes the file behind a logo's address, where it was uploaded; what stays is swept later. */
export async function deleteLogoFile(dataDir: string, url: string | null): Promise<void> {
  const name = fileName(url);
  if (!name?.startsWith("partners/")) return;
  try {
    await removeFile(dataDir, name);
  } catch (error) {
    log.warn({ err: error }, "a logo's file could not be deleted");
  }
}

async function encode(actor: string, bytes: Buffer) {
  const turn = { client: actor, account: actor };
  return (await workOnPicture(turn, () => logoWebp(bytes, LOGO_SIDE))) ?? ("unreadable" as const);
}

/** The partner as it was before; null where it is gone. */
async function replaceLogo(
  db: Db,
  { partnerId, logoUrl, actor }: { partnerId: string; logoUrl: string; actor: string },
) {
  return db.transaction().execute(async (tx) => {
    const before = await lockPartner(tx, partnerId);
    if (!before) return null;
    await tx
      .updateTable("partners")
      .set({ logo_url: logoUrl })
      .where("id", "=", partnerId)
      .execute();
    const details = { before: { logoUrl: before.logoUrl }, after: { logoUrl } };
    await recordDeed(tx, { actor, action: "partner.logo", subject: partnerId, details });
    return before;
  });
}
