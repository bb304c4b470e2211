import type { Db, Tx } from "../../platform/db.server.ts";

/** Takes the card's public address away, for good: a card that is shared again gets another. */
export async function stopSharingCard(db: Db | Tx, userId: string): Promise<void> {
  await db.deleteFrom("shared_cards").where("user_id", "=", userId).execute();
}
