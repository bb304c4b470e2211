import type { Tx } from "#app/platform/db.server.ts";

/**
 * Deletes what a player has written to the organiser and was answered, on the caller's transaction.
 * Withdrawals and their rows in the inbox stay: they belong to the books, and name nobody once the
 * organiser's words about them are gone.
 */
export async function forgetLetters(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("support_messages")
    .where("user_id", "=", userId)
    .where("kind", "=", "message")
    .execute();
  // An answer goes with its letter; one to a withdrawal may begin with the player's name.
  const kept = tx.selectFrom("support_messages").select("id").where("user_id", "=", userId);
  await tx.deleteFrom("letter_answers").where("message_id", "in", kept).execute();
  await tx
    .updateTable("withdrawals")
    .set({ refusal_reason: null })
    .where("user_id", "=", userId)
    .where("refusal_reason", "is not", null)
    .execute();
  await tx.deleteFrom("reviews").where("user_id", "=", userId).execute();
}
