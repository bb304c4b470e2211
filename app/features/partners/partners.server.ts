import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Insertable } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { isImage, logoWebp, workOnPicture } from "#app/platform/images/uploaded-images.server.ts";
import type { Schema } from "#app/platform/schema.ts";
import type { PartnerInput } from "./input.ts";
import { LOGO_MAX_BYTES, LOGO_SIDE } from "./rules.ts";

/** `websiteUrl` is unchecked: check that it is a web address before linking to it. */
const COLUMNS = ["id", "name", "logo_url as logoUrl", "website_url as websiteUrl"] as const;
const ADMIN_COLUMNS = [
  ...COLUMNS,
  "is_active as isActive",
  "sort_order as sortOrder",
  "version",
] as const;

export type AdminPartner = Awaited<ReturnType<typeof listPartners>>[number];

export async function listActivePartners(db: Db) {
  return inOrder(db).select(COLUMNS).where("is_active", "=", true).execute();
}

export async function listPartners(db: Db) {
  return inOrder(db).select(ADMIN_COLUMNS).execute();
}

const inOrder = (db: Db) =>
  db.selectFrom("partners").orderBy("sort_order").orderBy("created_at").orderBy("id");

export async function findPartner(db: Db, partnerId: string) {
  return (await byId(db, partnerId).executeTakeFirst()) ?? null;
}

async function lockPartner(tx: Tx, partnerId: string) {
  return (await byId(tx, partnerId).forUpdate().executeTakeFirst()) ?? null;
}

const byId = (db: Db, partnerId: string) =>
  db.selectFrom("partners").select(ADMIN_COLUMNS).where("id", "=", partnerId);

/** "form-used" where the form, gone back to, has already created a different partner. */
export async function createPartner(
  db: Db,
  creation: { partnerId: string; input: PartnerInput; actor: string },
): Promise<{ ok: true } | { ok: false; reason: "no-id" | "form-used" }> {
  const { partnerId: id, input, actor } = creation;
  if (!isId(id)) return { ok: false, reason: "no-id" };
  return db.transaction().execute(async (tx) => {
    if (!(await addPartner(tx, { id, ...columnsOf(input) }))) {
      const existing = await lockPartner(tx, id);
      const isSame = existing && isDeepStrictEqual(inputOf(existing), input);
      return isSame ? { ok: true } : { ok: false, reason: "form-used" };
    }
    const details = { before: null, after: input };
    await recordAudit(tx, { actor, action: "partner.create", subject: id, details });
    return { ok: true };
  });
}

/** False where this id exists already; that partner stays as it is. */
export async function addPartner(db: Db, partner: Insertable<Schema["partners"]>) {
  const added = await db
    .insertInto("partners")
    .values(partner)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** "changed" where somebody else has saved the partner since `version` was read. */
export async function editPartner(
  db: Db,
  edit: { partnerId: string; version: number; input: PartnerInput; actor: string },
) {
  const { partnerId, version, input, actor } = edit;
  return db.transaction().execute(async (tx) => {
    const current = await lockPartner(tx, partnerId);
    if (!current) return { ok: false, reason: "gone" } as const;
    const before = inputOf(current);
    if (isDeepStrictEqual(before, input)) return { ok: true } as const;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    await tx.updateTable("partners").set(columnsOf(input)).where("id", "=", partnerId).execute();
    const details = { before, after: input };
    await recordAudit(tx, { actor, action: "partner.edit", subject: partnerId, details });
    return { ok: true } as const;
  });
}

const columnsOf = ({ name, websiteUrl, sortOrder }: PartnerInput) => ({
  name,
  website_url: websiteUrl,
  sort_order: sortOrder,
});

const inputOf = ({ name, websiteUrl, sortOrder }: AdminPartner) => ({
  name,
  websiteUrl,
  sortOrder,
});

/** Partners may share a sort order, so all are renumbered. False where there is none. */
export async function movePartner(
  db: Db,
  { partnerId, direction, actor }: { partnerId: string; direction: "up" | "down"; actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom("partners").select("id").orderBy("id").forUpdate().execute();
    const partners = await listPartners(tx);
    const from = partners.findIndex(({ id }) => id === partnerId);
    const to = direction === "up" ? from - 1 : from + 1;
    const [moved, neighbour] = [partners[from], partners[to]];
    if (!moved) return false;
    if (!neighbour) return true;
    partners[to] = moved;
    partners[from] = neighbour;
    await renumber(tx, partners);
    const details = { before: { sortOrder: moved.sortOrder }, after: { sortOrder: to + 1 } };
    await recordAudit(tx, { actor, action: "partner.move", subject: partnerId, details });
    return true;
  });
}

async function renumber(tx: Tx, partners: AdminPartner[]) {
  for (const [index, { id, sortOrder }] of partners.entries()) {
    const sort_order = index + 1;
    if (sortOrder === sort_order) continue;
    await tx.updateTable("partners").set({ sort_order }).where("id", "=", id).execute();
  }
}

export async function switchPartner(
  db: Db,
  { partnerId, isActive, actor }: { partnerId: string; isActive: boolean; actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const current = await lockPartner(tx, partnerId);
    if (!current) return false;
    if (current.isActive === isActive) return true;
    const columns = { is_active: isActive };
    await tx.updateTable("partners").set(columns).where("id", "=", partnerId).execute();
    const details = { before: { isActive: !isActive }, after: { isActive } };
    await recordAudit(tx, { actor, action: "partner.switch", subject: partnerId, details });
    return true;
  });
}

export async function removePartner(
  { db, files }: { db: Db; files: Files },
  { partnerId, actor }: { partnerId: string; actor: string },
): Promise<boolean> {
  const removed = await db.transaction().execute(async (tx) => {
    const partner = await lockPartner(tx, partnerId);
    if (!partner) return null;
    await tx.deleteFrom("partners").where("id", "=", partnerId).execute();
    const { id: _, version: __, ...before } = partner;
    const details = { before, after: null };
    await recordAudit(tx, { actor, action: "partner.remove", subject: partnerId, details });
    return partner;
  });
  if (removed) await deleteLogoFile(files, removed.logoUrl);
  return removed !== null;
}

/** "unreadable" is broken, larger than 25 megapixels, or an SVG with references. */
export async function changeLogo(
  { db, files }: { db: Db; files: Files },
  { partnerId, bytes, actor }: { partnerId: string; bytes: Buffer; actor: string },
) {
  if (bytes.length > LOGO_MAX_BYTES) return { ok: false, reason: "too-large" } as const;
  if (!isImage(bytes)) return { ok: false, reason: "not-an-image" } as const;
  const turn = { client: actor, account: actor };
  const logo = (await workOnPicture(turn, () => logoWebp(bytes, LOGO_SIDE))) ?? "unreadable";
  if (!Buffer.isBuffer(logo)) return { ok: false, reason: logo } as const;
  const name = `partners/${randomBytes(16).toString("hex")}.webp`;
  try {
    await files.store(name, logo);
    const change = { partnerId, logoUrl: fileUrl(name), actor };
    const replaced = await replaceLogo(db, change);
    // After the commit: had the transaction failed, the partner would name a file that is gone.
    await deleteLogoFile(files, replaced ? replaced.logoUrl : change.logoUrl);
    return replaced ? ({ ok: true } as const) : ({ ok: false, reason: "gone" } as const);
  } catch (error) {
    await deleteLogoFile(files, fileUrl(name));
    throw error;
  }
}

async function replaceLogo(
  db: Db,
  { partnerId, logoUrl, actor }: Record<"partnerId" | "logoUrl" | "actor", string>,
) {
  return db.transaction().execute(async (tx) => {
    const before = await lockPartner(tx, partnerId);
    if (!before) return null;
    const columns = { logo_url: logoUrl };
    await tx.updateTable("partners").set(columns).where("id", "=", partnerId).execute();
    const details = { before: { logoUrl: before.logoUrl }, after: { logoUrl } };
    await recordAudit(tx, { actor, action: "partner.logo", subject: partnerId, details });
    return before;
  });
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
