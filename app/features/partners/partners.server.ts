import type { Db } from "#app/platform/db.server.ts";

export interface Partner {
  id: string;
  name: string;
  logoUrl: string | null;
  /** As it was typed: whoever links to it checks that it is a web address. */
  websiteUrl: string | null;
}

/** As the desk sees it. */
export interface DeskPartner extends Partner {
  isActive: boolean;
  sortOrder: number;
  /** Counts its edits. */
  version: number;
}

const COLUMNS = ["id", "name", "logo_url as logoUrl", "website_url as websiteUrl"] as const;
const DESK_COLUMNS = [
  ...COLUMNS,
  "is_active as isActive",
  "sort_order as sortOrder",
  "version",
] as const;

/** The active partners, in the order that the admins gave them, then oldest first. */
export async function listActivePartners(db: Db): Promise<Partner[]> {
  return inOrder(db).select(COLUMNS).where("is_active", "=", true).execute();
}

/** All partners in the same order, for the desk. */
export async function listPartners(db: Db): Promise<DeskPartner[]> {
  return inOrder(db).select(DESK_COLUMNS).execute();
}

/** A partner by its id; null where there is none. */
export async function findPartner(db: Db, partnerId: string): Promise<DeskPartner | null> {
  const partner = db.selectFrom("partners").select(DESK_COLUMNS).where("id", "=", partnerId);
  return (await partner.executeTakeFirst()) ?? null;
}

/** Every partner, locked until the transaction ends: of two who move one the second waits. */
export async function lockPartners(tx: Db): Promise<DeskPartner[]> {
  await tx.selectFrom("partners").select("id").orderBy("id").forUpdate().execute();
  return listPartners(tx);
}

/** A partner, locked until the transaction ends. */
export async function lockPartner(tx: Db, partnerId: string): Promise<DeskPartner | null> {
  const partner = tx.selectFrom("partners").select(DESK_COLUMNS).where("id", "=", partnerId);
  return (await partner.forUpdate().executeTakeFirst()) ?? null;
}

const inOrder = (db: Db) =>
  db.selectFrom("partners").orderBy("sort_order").orderBy("created_at").orderBy("id");
