import type { Db } from "../../platform/db.server.ts";
import { consumeConfirmation, findLink } from "./mail-links.server.ts";

/**
 * Confirms the address that a link was sent to; no other link of that account works afterwards.
 * Answers the user's id, or null when the link is unknown, used or expired.
 */
export async function confirmAddress(db: Db, token: string, now: Date): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const userId = await consumeConfirmation(tx, token, now);
    if (!userId) return null;
    await tx
      .updateTable("users")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", userId)
      .execute();
    return userId;
  });
}

/** Whose address a link has confirmed already, within the day that it lasts; else null. */
export function findConfirmed(db: Db, token: string, now: Date): Promise<string | null> {
  return findLink(db, "confirmed", token, now);
}
