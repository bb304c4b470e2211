import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";

export interface GameResult {
  firstScore: number;
  secondScore: number;
  /** Counts the saves. */
  version: number;
}

/** How a game ended; null while nobody has said it. */
export async function findResult(db: Db, gameId: string): Promise<GameResult | null> {
  const result = await db
    .selectFrom("game_results")
    .select(["first_score as firstScore", "second_score as secondScore", "version"])
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  return result ?? null;
}

/** Stores or replaces the score of a game that the caller has locked. */
export async function storeResult(
  tx: Tx,
  gameId: string,
  { firstScore, secondScore }: Omit<GameResult, "version">,
  now: Date,
): Promise<void> {
  const score = { first_score: firstScore, second_score: secondScore, recorded_at: now };
  await tx
    .insertInto("game_results")
    .values({ game_id: gameId, ...score })
    .onConflict((conflict) =>
      conflict.column("game_id").doUpdateSet({ ...score, version: sql`game_results.version + 1` }),
    )
    .execute();
}
