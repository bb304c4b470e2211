import { type Tx, isOneOf } from "#app/platform/db.server.ts";
import { type LockedGame, lockedGames } from "./games.server.ts";

/** Several are locked by id; unknown ones are left out. */
export async function lockGames(tx: Tx, gameIds: string[]) {
  if (gameIds.length === 0) return [];
  return lockedGames(tx).where(isOneOf("id", gameIds)).orderBy("id").execute();
}

/** Under the locks of these games, all of them open. Their bookings are untouched. */
export async function closeGames(tx: Tx, games: { id: string }[]): Promise<void> {
  const ids = games.map(({ id }) => id);
  const closed = tx.updateTable("games").set({ status: "Cancelled" });
  await closed.where(isOneOf("id", ids)).execute();
}

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
