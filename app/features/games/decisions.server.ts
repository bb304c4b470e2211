import type { Db, Tx } from "#app/platform/db.server.ts";
import type { GameDecision } from "#app/platform/schema.ts";
import { warnedUntil } from "./minimum-rules.ts";

export async function listGamesToDecide(db: Db, now: Date): Promise<string[]> {
  const games = await db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("decision", "is", null)
    .where("decides_at", "<=", warnedUntil(now))
    .where("starts_at", ">", now)
    .where((eb) =>
      eb.or([
        eb("decides_at", "<=", now),
        eb.and([
          eb("decision_warned_at", "is", null),
          eb("seats_taken", "<", eb.ref("min_players")),
        ]),
      ]),
    )
    .orderBy("decides_at")
    .orderBy("id")
    .execute();
  return games.map(({ id }) => id);
}

interface Decided {
  gameId: string;
  decision: GameDecision;
  now: Date;
}

/** Under the game's lock. */
export async function recordDecision(tx: Tx, { gameId, decision, now }: Decided): Promise<void> {
  await tx
    .updateTable("games")
    .set({ decision, decided_at: now })
    .where("id", "=", gameId)
    .execute();
}

/** Under the game's lock. */
export async function recordWarning(tx: Tx, gameId: string, now: Date): Promise<void> {
  const game = tx.updateTable("games").set({ decision_warned_at: now });
  await game.where("id", "=", gameId).execute();
}
