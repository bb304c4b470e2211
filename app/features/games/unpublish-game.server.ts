import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lockGame } from "./lock-game.server.ts";
import { hasStarted } from "./rules.ts";

export type UnpublishAnswer =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-published" | "started" | "has-players" };

/**
 * Takes a game back into the drafts while nobody is in it; who is in has paid, so that such a game
 * can only be cancelled. From its kick-off on it stays: as a draft nobody could publish or change
 * it. Repeated it changes nothing.
 */
export async function unpublishGame(
  db: Db,
  { gameId, actorId, now }: { gameId: string; actorId: string; now: Date },
): Promise<UnpublishAnswer> {
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    // Whoever joins waits for this lock, and then finds a draft.
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (game.status === "Draft") return { ok: true };
    if (game.status !== "Published") return { ok: false, reason: "not-published" };
    if (hasStarted(game, now)) return { ok: false, reason: "started" };
    if (game.joinedCount > 0) return { ok: false, reason: "has-players" };
    await tx.updateTable("games").set({ status: "Draft" }).where("id", "=", gameId).execute();
    const details = { before: { status: "Published" }, after: { status: "Draft" } };
    await recordDeed(tx, { actor: actorId, action: "game.unpublish", subject: gameId, details });
    return { ok: true };
  });
}
