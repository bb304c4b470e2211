import type { Tx } from "#app/platform/db.server.ts";

/**
 * Locks the game for the rest of the transaction and answers its facts as they are now: whoever
 * changes its seats waits here. First in the lock order (game, wallet, booking, ledger, jobs).
 */
export async function lockGame(tx: Tx, gameId: string) {
  return tx
    .selectFrom("games")
    .select([
      "id",
      "status",
      "starts_at as startsAt",
      "max_players as maxPlayers",
      "seats_taken as joinedCount",
      "is_first_session_free as isFirstSessionFree",
    ])
    .where("id", "=", gameId)
    .forUpdate()
    .executeTakeFirst();
}
