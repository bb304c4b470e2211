import { randomBytes } from "node:crypto";
import type { Db } from "#app/platform/db.server.ts";

/**
 * Gives the player's card a public address and answers its token, 128 random bits. A card that is
 * shared already keeps its own, so that links that went out go on working.
 */
export async function shareCard(db: Db, userId: string): Promise<string> {
  const token = randomBytes(16).toString("base64url");
  const { token: stands } = await db
    .insertInto("shared_cards")
    .values({ user_id: userId, token })
    // An update that changes nothing: only so the row that was there is answered.
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ user_id: userId }))
    .returning("token")
    .executeTakeFirstOrThrow();
  return stands;
}
