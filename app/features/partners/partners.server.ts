import { randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import { z } from "zod";
import type { Db } from "#app/platform/db.server.ts";
import { changeRow, removeRow } from "#app/platform/entity-writes.server.ts";
import { defineEntity, listRows } from "#app/platform/entity.server.ts";
import { atMost, link, plain, requiredLine } from "#app/platform/fields.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import {
  isImage,
  logoWebp,
  svgProblem,
  workOnPicture,
} from "#app/platform/images/uploaded-images.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Schema } from "#app/platform/schema.ts";
import { LOGO_MAX_BYTES, LOGO_SIDE } from "./rules.ts";

/** A row's `websiteUrl` is unchecked: check that it is a web address before linking to it. */
export const partners = defineEntity("partner", {
  fields: {
    name: {
      ...{ label: "Name", hint: "Also the logo's alt text.", isRequired: true, maxLength: 80 },
      schema: requiredLine("Name", 80),
    },
    websiteUrl: {
      ...{ label: "Website", type: "url", inputMode: "url", maxLength: 500 },
      hint: "Such as https://partner.example. Leave it empty for a logo without a link.",
      schema: link(
        atMost("Website", 500, "Website is too long"),
        "Please enter a web address, such as https://partner.example",
      ),
    },
    sortOrder: {
      ...{ label: "Sort order", hint: "Smallest first.", inputMode: "numeric", initial: "0" },
      className: "max-w-40",
      // What is no number is 0 (specification, section 5).
      schema: plain
        .transform((digits) => Number.parseInt(digits, 10) || 0)
        .pipe(
          z
            .number()
            .min(-1_000_000, "Sort order is too small")
            .max(1_000_000, "Sort order is too large"),
        ),
    },
  },
  more: ["logoUrl", "isActive"],
  order: ["sortOrder", "createdAt"],
});

export type Partner = Awaited<ReturnType<typeof listPartners>>[number];

export const listPartners = (db: Db) => listRows(db, partners);

export async function listActivePartners(db: Db) {
  const active = (await listPartners(db)).filter(({ isActive }) => isActive);
  return active.map(({ id, name, logoUrl, websiteUrl }) => ({ id, name, logoUrl, websiteUrl }));
}

/** Keeps what is stored with this id already. */
export async function addPartner(db: Db, partner: Insertable<Schema["partners"]>): Promise<void> {
  const insert = db.insertInto("partners").values(partner);
  await insert.onConflict((conflict) => conflict.column("id").doNothing()).execute();
}

type Storage = { db: Db; files: Files };

export async function removePartner({ db, files }: Storage, of: { id: string; actor: string }) {
  const removed = await removeRow(db, partners, of);
  if (removed.ok) await deleteLogoFile(files, removed.before.logoUrl);
  return removed;
}

/** "unreadable" is broken, or larger than 25 megapixels. */
export async function changeLogo(
  { db, files }: Storage,
  { id, bytes, actor }: { id: string; bytes: Buffer; actor: string },
) {
  if (bytes.length > LOGO_MAX_BYTES) return { ok: false, reason: "too-large" } as const;
  if (!isImage(bytes)) return { ok: false, reason: "not-an-image" } as const;
  const requester = { client: actor, account: actor };
  const logo =
    (await workOnPicture(requester, () => logoWebp(bytes, LOGO_SIDE))) ??
    svgProblem(bytes) ??
    "unreadable";
  if (!Buffer.isBuffer(logo)) return { ok: false, reason: logo } as const;
  const name = `partners/${randomBytes(16).toString("hex")}.webp`;
  const values = { logoUrl: fileUrl(name) };
  try {
    await files.store(name, logo);
    const changed = await changeRow(db, partners, { id, actor, action: "partner.logo", values });
    // After the commit: had the transaction failed, the partner would name a file that is gone.
    await deleteLogoFile(files, changed.ok ? changed.before.logoUrl : values.logoUrl);
    return changed;
  } catch (error) {
    await deleteLogoFile(files, values.logoUrl);
    throw error;
  }
}

/** Deletes an uploaded logo's file; what cannot be deleted is swept later. */
async function deleteLogoFile(files: Files, url: string | null): Promise<void> {
  const name = fileName(url);
  if (!name?.startsWith("partners/")) return;
  try {
    await files.remove(name);
  } catch (error) {
    log.warn({ err: error }, "a logo's file could not be deleted");
  }
}
