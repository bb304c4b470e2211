import { type Tx, isOneOf } from "#app/platform/db.server.ts";
import { lockedGames, lockGame } from "./games.server.ts";

/** Several are locked by id; unknown ones are left out. */
export async function lockGames(tx: Tx, gameIds: string[]) {
  if (gameIds.length === 0) return [];
  return lockedGames(tx).where(isOneOf("id", gameIds)).orderBy("id").execute();
}

/** Under the locks of these games, all of them open. Their bookings are untouched. */
export async function closeGames(tx: Tx, gameIds: string[]): Promise<void> {
  await tx
    .updateTable("games")
    .set({ status: "Cancelled" })
    .where(isOneOf("id", gameIds))
    .execute();
}

/** The game as it was; null where unknown or closed. Its bookings are untouched. */
export async function setCancelled(tx: Tx, gameId: string) {
  const game = await lockGame(tx, gameId);
  if (!game || (game.status !== "Published" && game.status !== "Draft")) return null;
  await closeGames(tx, [gameId]);
  return game;
}
