import type { Db } from "#app/platform/db.server.ts";

export const CARD_PATH = "/card/shared-for-the-screens";

/** Shares the player's card under an address that is known, for pictures of what a visitor sees. */
export async function stageCard(db: Db): Promise<void> {
  const player = db.selectFrom("users").select("id").where("email", "=", "player@uni.example");
  const { id: user_id } = await player.executeTakeFirstOrThrow();
  const token = CARD_PATH.split("/").at(-1)!;
  await db.insertInto("shared_cards").values({ user_id, token }).execute();
}
