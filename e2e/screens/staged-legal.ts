import { editLegalPage, findStoredPage } from "#app/features/legal/legal-pages.server.ts";
import type { Db } from "#app/platform/db.server.ts";

/** Terms that were changed and changed back: there are former texts, and the stored one is as it was. */
export async function stageFormerTerms(db: Db, actor: string): Promise<void> {
  const { title, content } = (await findStoredPage(db, "terms"))!;
  const longer = `${content}\n\n14. Lost property\nWhat you leave at a venue is kept for a month.`;
  for (const text of [longer, content]) {
    const { version } = (await findStoredPage(db, "terms"))!;
    const edit = { version, input: { title, content: text }, actor, now: new Date() };
    await editLegalPage(db, { type: "terms", ...edit });
  }
}
