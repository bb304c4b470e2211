import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import type { Db } from "#app/platform/db.server.ts";
import { describeChange } from "#app/features/games/describe-change.server.ts";

/** From the log of edits: what organisers have changed since the place was agreed to. */
export async function listChanges(db: Db, entryId: string) {
  const entry = await db
    .selectFrom("waitlist_entries")
    .select(["game_id as gameId", "agreed_at as agreedAt"])
    .where("id", "=", entryId)
    .executeTakeFirst();
  const game = entry && (await findPlannedGame(db, entry.gameId));
  if (!game) return [];
  const edits = await db
    .selectFrom("audit_log")
    .select("details")
    .where("action", "=", "game.edit")
    .where("subject", "=", entry.gameId)
    .where("created_at", ">", entry.agreedAt)
    .orderBy("id", "desc")
    .execute();
  // The oldest last: what was agreed to is the value before the first edit.
  const befores = edits.map(({ details }) => (details as { before?: Partial<GamePlan> }).before);
  const agreed: GamePlan = Object.assign({ ...game.plan }, ...befores);
  const seats = { maxPlayers: game.plan.maxPlayers };
  return describeChange(db, { ...agreed, ...seats }, game.plan);
}
