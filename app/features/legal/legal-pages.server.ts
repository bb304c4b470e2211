import type { Db } from "../../platform/db.server.ts";

export type LegalPageType = "terms" | "privacy";

/** The stored text of a legal page; null where none is stored. */
export async function findLegalPage(db: Db, type: LegalPageType) {
  const page = await db
    .selectFrom("legal_pages")
    .select(["title", "content"])
    .where("page_type", "=", type)
    .executeTakeFirst();
  return page ?? null;
}
