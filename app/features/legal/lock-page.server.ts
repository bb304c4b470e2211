import type { Tx } from "#app/platform/db.server.ts";

export type LegalPageType = "terms" | "privacy";

/** Whatever changes a page or its coming text holds this lock. Throws where no text is stored. */
export function lockPage(tx: Tx, type: LegalPageType) {
  return tx
    .selectFrom("legal_pages")
    .select(["page_type", "version", "title", "content", "saved_by", "updated_at as saved_at"])
    .where("page_type", "=", type)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
