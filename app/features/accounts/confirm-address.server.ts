import type { Db } from "../../platform/db.server.ts";
import { consumeLink, forgetLinks } from "./mail-links.server.ts";

/**
 * Confirms the address that a link was sent to, and lets all links of that account go. Answers
 * the user's id, or null when the link is unknown, used or expired.
 */
export async function confirmAddress(db: Db, token: string, now: Date): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const userId = await consumeLink(tx, "confirm", token, now);
    if (!userId) return null;
    await tx
      .updateTable("users")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", userId)
      .execute();
    await forgetLinks(tx, userId, ["confirm"]);
    return userId;
  });
}
