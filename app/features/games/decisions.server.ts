import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { GameDecision } from "#app/platform/schema.ts";
import { type GameToEdit, lockGamesToEdit } from "./games.server.ts";
import { warnedUntil } from "./minimum-rules.ts";
import { hasStarted } from "./rules.ts";

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

export interface PlayAnyway {
  gameId: string;
  actorId: string;
  /** As the organiser saw it: an edit since then has another minimum or another time. */
  version: number;
  now: Date;
}

type DecideResult =
  | { ok: true; game: GameToEdit; isNew: boolean }
  | { ok: false; reason: "not-found" | "not-published" | "started" | "no-minimum" | "changed" };

/** Locks the game. An edit of the minimum or the time undoes the decision. */
export async function decideToPlay(tx: Tx, wish: PlayAnyway): Promise<DecideResult> {
  const { gameId, actorId: actor, version, now } = wish;
  const [game] = await lockGamesToEdit(tx, { gameId, now });
  if (!game) return { ok: false, reason: "not-found" };
  if (game.status !== "Published") return { ok: false, reason: "not-published" };
  if (hasStarted(game, now)) return { ok: false, reason: "started" };
  if (game.version !== version) return { ok: false, reason: "changed" };
  if (game.plan.minPlayers === null) return { ok: false, reason: "no-minimum" };
  if (game.decision) return { ok: true, game, isNew: false };
  await recordDecision(tx, { gameId, decision: "PlayAnyway", now });
  const details = { minPlayers: game.plan.minPlayers, players: game.joinedCount };
  await recordAudit(tx, { actor, action: "game.play-anyway", subject: gameId, details });
  return { ok: true, game, isNew: true };
}
