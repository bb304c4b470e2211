import type { Db } from "#app/platform/db.server.ts";
import { type Deployment, defaultPrivacy, defaultTerms, type Rules } from "./default-texts.ts";

/**
 * Stores the default legal texts where none are stored yet; afterwards the stored text stands.
 * `rules` come from other features, which this one does not import.
 */
export async function storeDefaultTexts(
  db: Db,
  deployment: Deployment,
  rules: Rules,
): Promise<void> {
  await db
    .insertInto("legal_pages")
    .values([
      {
        page_type: "terms",
        title: "Terms & Conditions",
        content: defaultTerms(deployment, rules),
      },
      { page_type: "privacy", title: "Privacy Policy", content: defaultPrivacy(deployment) },
    ])
    .onConflict((conflict) => conflict.column("page_type").doNothing())
    .execute();
}
