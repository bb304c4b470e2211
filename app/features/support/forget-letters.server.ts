import type { Tx } from "../../platform/db.server.ts";

/**
 * Deletes what a player has written to the organiser, on the caller's transaction. Withdrawals and
 * their rows in the inbox stay: they belong to the books, and name nobody.
 */
export async function forgetLetters(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("support_messages")
    .where("user_id", "=", userId)
    .where("kind", "=", "message")
    .execute();
  await tx.deleteFrom("reviews").where("user_id", "=", userId).execute();
}
