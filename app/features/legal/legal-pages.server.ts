import type { Db } from "#app/platform/db.server.ts";

export type LegalPageType = "terms" | "privacy";

/** A legal text as its editors see it. */
export interface StoredLegalPage {
  type: LegalPageType;
  title: string;
  content: string;
  /** Counts its edits. */
  version: number;
  savedAt: Date;
  /** Null where it is the text that the site began with, or was changed in the database. */
  savedBy: string | null;
}

/** The stored text of a legal page; null where none is stored. */
export async function findLegalPage(db: Db, type: LegalPageType) {
  const page = await db
    .selectFrom("legal_pages")
    .select(["title", "content"])
    .where("page_type", "=", type)
    .executeTakeFirst();
  return page ?? null;
}

/** All legal texts by their type. */
export async function listLegalPages(db: Db): Promise<StoredLegalPage[]> {
  return pages(db).orderBy("page_type").execute();
}

/** One legal text for its editor; null where none is stored. */
export async function findStoredPage(db: Db, type: LegalPageType): Promise<StoredLegalPage | null> {
  return (await pages(db).where("page_type", "=", type).executeTakeFirst()) ?? null;
}

const pages = (db: Db) =>
  db
    .selectFrom("legal_pages")
    .leftJoin("users", "users.id", "saved_by")
    .select([
      ...(["page_type as type", "title", "content", "version"] as const),
      ...(["legal_pages.updated_at as savedAt", "users.name as savedBy"] as const),
    ]);
