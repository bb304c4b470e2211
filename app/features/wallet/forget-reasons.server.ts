import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";

/**
 * Takes the organisers' words out of a deleted player's corrections, on the caller's transaction.
 * The entries stay for the books; the database lets this be taken from a deleted account alone.
 */
export async function forgetReasons(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("wallet_transactions")
    .set({ notes: null })
    .where("user_id", "=", userId)
    .where("notes", "is not", null)
    .where(sql<boolean>`starts_with(business_key, 'grant:')`)
    .execute();
}
