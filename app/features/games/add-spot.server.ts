import type { Tx } from "#app/platform/db.server.ts";
import type { LockedGame } from "./games.server.ts";

/** Under the game's lock, once it has begun: nobody waits for the spot or relied on the number. */
export async function addSpot(
  tx: Tx,
  { id, maxPlayers: before }: Pick<LockedGame, "id" | "maxPlayers">,
) {
  await tx
    .updateTable("games")
    .set({ max_players: before + 1 })
    .where("id", "=", id)
    .execute();
  const details = { before: { maxPlayers: before }, after: { maxPlayers: before + 1 } };
  return { action: "game.edit", subject: id, details } as const;
}
