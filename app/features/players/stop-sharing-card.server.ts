import type { Db, Tx } from "#app/platform/db.server.ts";

/**
 * Takes the card's public address away, for good: a card that is shared again gets another. Answers
 * the token that was, for its pictures to be forgotten; null where the card was not shared.
 */
export async function stopSharingCard(db: Db | Tx, userId: string): Promise<string | null> {
  const card = db.deleteFrom("shared_cards").where("user_id", "=", userId).returning("token");
  return (await card.executeTakeFirst())?.token ?? null;
}
