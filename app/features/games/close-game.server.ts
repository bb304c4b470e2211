import type { Tx } from "#app/platform/db.server.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import { lockGame } from "./lock-game.server.ts";

/**
 * Locks the game and marks it Cancelled. Answers the status that it had; null where it is unknown
 * or already closed, so that a repeated call changes nothing. Its bookings are the caller's.
 */
export async function closeGame(tx: Tx, gameId: string): Promise<GameStatus | null> {
  const game = await lockGame(tx, gameId);
  if (!game || (game.status !== "Published" && game.status !== "Draft")) return null;
  await tx.updateTable("games").set({ status: "Cancelled" }).where("id", "=", gameId).execute();
  return game.status;
}
