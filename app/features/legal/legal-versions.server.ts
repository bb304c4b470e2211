import type { Db } from "#app/platform/db.server.ts";
import type { LegalPageType, StoredLegalPage } from "./legal-pages.server.ts";

export type LegalVersion = Pick<StoredLegalPage, "version" | "title" | "savedAt" | "savedBy">;

/** The texts that were replaced, the newest first; `before` is the version that a page begins below. */
export async function listLegalVersions(
  db: Db,
  { type, before, limit }: { type: LegalPageType; before: number | null; limit: number },
): Promise<LegalVersion[]> {
  const all = versions(db, type);
  const wanted = before === null ? all : all.where("version", "<", before);
  return wanted.orderBy("version", "desc").limit(limit).execute();
}

/** A text that was replaced, whole; null where there is none of that number. */
export async function findLegalVersion(
  db: Db,
  { type, version }: { type: LegalPageType; version: number },
): Promise<(LegalVersion & { content: string }) | null> {
  const found = versions(db, type).select("content").where("version", "=", version);
  return (await found.executeTakeFirst()) ?? null;
}

const versions = (db: Db, type: LegalPageType) =>
  db
    .selectFrom("legal_page_versions")
    .leftJoin("users", "users.id", "saved_by")
    .select(["version", "title", "saved_at as savedAt", "users.name as savedBy"])
    .where("page_type", "=", type);
