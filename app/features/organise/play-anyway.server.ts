import { sql } from "kysely";
import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import { recordDecision } from "#app/features/games/decisions.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { LIVE } from "#app/features/seats/rules.ts";
import { IS_WAIVED } from "#app/features/seats/seats.server.ts";

interface PlayAnyway {
  gameId: string;
  actorId: string;
  /** Version that the organiser saw: an edit since then has another minimum or another time. */
  version: number;
  shown?: Facts | undefined;
  now: Date;
}

export const decisionFacts = (players: number): Facts => ({ players: String(players) });

type PlayAnywayResult =
  | { ok: true; notified: number }
  | {
      ok: false;
      reason: "not-found" | "not-published" | "started" | "no-minimum" | "changed" | "others";
    };

/** Whatever the number of players, until an edit of the minimum or the time. With too few, those who
 * are in may leave for the full price until the decision, for they joined a game that would have been
 * called off. */
export function playAnyway(db: Db, jobs: Jobs, wish: PlayAnyway): Promise<PlayAnywayResult> {
  const { gameId, actorId, version, shown, now } = wish;
  const change = { gameId, actorId, action: "game.play-anyway", jobs } as const;
  return changeGame<PlayAnywayResult>(db, change, async (tx, game) => {
    if (game.status !== "Published") return "not-published";
    if (hasStarted(game, now)) return "started";
    if (game.version !== version) return "changed";
    const { minPlayers, joinedCount: players, decidesAt } = game;
    if (minPlayers === null) return "no-minimum";
    if (game.decision) return { ok: true, notified: 0 };
    if (changedFacts(shown, decisionFacts(players)).length > 0) return "others";
    await recordDecision(tx, { gameId, decision: "PlayAnyway", now });
    const mayLeave = players < minPlayers && decidesAt !== null;
    const notices = mayLeave ? [await letLeave(tx, game, now)] : [];
    const notified = notices[0]?.[1].length ?? 0;
    return { ok: true, notified, event: { details: { minPlayers, players } }, notices };
  });
}

async function letLeave(tx: Tx, game: LockedGame, now: Date): Promise<QueuedNotice> {
  const { id: gameId, decidesAt, version } = game;
  const bookings = await tx
    .updateTable("bookings")
    // A booking that is free to cancel until kick-off stays so.
    .set({
      free_cancel_until: sql<Date | null>`case when ${IS_WAIVED} then free_cancel_until
        else greatest(free_cancel_until, ${decidesAt}::timestamptz) end`,
    })
    .where("game_id", "=", gameId)
    .where("payment_status", "in", LIVE)
    .returning(["id", "user_id as userId"])
    .execute();
  const mails = bookings.map(({ id: bookingId }) => ({ bookingId, version }));
  const pushes = bookings.map(({ id, userId }) => {
    return { userId, subjectId: id, version: String(version) };
  });
  return ["played-anyway", mails, { delaySeconds: quietSeconds(now, [game]), pushes }];
}
