import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { LegalInput } from "./input.ts";
import type { LegalPageType } from "./legal-pages.server.ts";

interface Edit {
  type: LegalPageType;
  /** Of the text that was edited. */
  version: number;
  input: LegalInput;
  actor: string;
  now: Date;
}

export type LegalEditAnswer =
  | { ok: true }
  | { ok: false; reason: "changed"; current: LegalInput & { version: number } };

/**
 * Stores a legal text and keeps the one before it, with who had saved that and when. Refused as
 * "changed" where somebody else saved another text meanwhile. Throws where no text is
 * stored.
 */
export async function editLegalPage(
  db: Db,
  { type, version, input, actor, now }: Edit,
): Promise<LegalEditAnswer> {
  return db.transaction().execute(async (tx) => {
    const current = await lockPage(tx, type);
    const { title, content } = input;
    if (current.title === title && current.content === content) return { ok: true } as const;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    await tx.insertInto("legal_page_versions").values(current).execute();
    const after = await tx
      .updateTable("legal_pages")
      .set({ title, content, saved_by: actor, updated_at: now })
      .where("page_type", "=", type)
      .returning(["version", "title"])
      .executeTakeFirstOrThrow();
    // The texts themselves are kept beside the page, each under its version.
    const details = { before: { version, title: current.title }, after };
    await recordDeed(tx, { actor, action: "legal.edit", subject: type, details });
    return { ok: true } as const;
  });
}

function lockPage(tx: Tx, type: LegalPageType) {
  return tx
    .selectFrom("legal_pages")
    .select(["page_type", "version", "title", "content", "saved_by", "updated_at as saved_at"])
    .where("page_type", "=", type)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
