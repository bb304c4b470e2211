import type { Tx } from "#app/platform/db.server.ts";
import { type GamePlan, planColumns } from "./plan.server.ts";

/** Stores a plan over a game that the caller has locked; answers its new version. */
export async function updateGame(tx: Tx, gameId: string, plan: GamePlan): Promise<number> {
  const { version } = await tx
    .updateTable("games")
    .set(planColumns(plan))
    .where("id", "=", gameId)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}
