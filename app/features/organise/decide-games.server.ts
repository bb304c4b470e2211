import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import {
  listGamesToDecide,
  recordDecision,
  recordWarning,
} from "#app/features/games/decisions.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { hasEnough, isUndecided, warnedUntil } from "#app/features/games/minimum-rules.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import { runForEach } from "#app/platform/scheduler.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import { callOff } from "./cancel-game.server.ts";
import {
  hasSpotForWaiting,
  promoteWaiting,
} from "#app/features/waitlist/promote-waiting.server.ts";
import { sumPendingCash } from "#app/features/bookings/pending-cash.server.ts";

/** Every decision that is due, also one that was missed, while kick-off is ahead; and warnings. */
export async function decideGames(db: Db, jobs: Jobs, now: Date): Promise<void> {
  const ids = await listGamesToDecide(db, now);
  await runForEach({ ids, of: "gameId", failed: "decision" }, (gameId) =>
    decideGame(db, jobs, { gameId, now }),
  );
}

interface Due {
  gameId: string;
  now: Date;
}

type Decided = "on" | "called-off" | "warned";
type DecideResult =
  | { ok: true; decided: Decided }
  | { ok: false; reason: "not-found" | "not-due" | "list-first" };

/** A spot may be freed between the rounds; what is undecided after them is due again at once. */
const MOST_ROUNDS = 5;

/** Decides once. The waitlist comes first: a game that it fills is on. Null if nothing is due. */
export async function decideGame(db: Db, jobs: Jobs, due: Due): Promise<Decided | null> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await promoteWaiting(db, jobs, due);
    const result = await decide(db, jobs, due);
    if (result.ok) return result.decided;
    if (result.reason !== "list-first") return null;
  }
  return null;
}

function decide(db: Db, jobs: Jobs, { gameId, now }: Due): Promise<DecideResult> {
  const change = { gameId, actorId: "system", action: "game.cancel", jobs } as const;
  return changeGame<DecideResult>(db, change, async (tx, game) => {
    if (game.status !== "Published" || hasStarted(game, now)) return "not-due";
    if (!isUndecided(game)) return "not-due";
    const { minPlayers, joinedCount: players, decidesAt } = game;
    const isShort = !hasEnough(game);
    const isToWarn = isShort && !game.warnedAt && decidesAt <= warnedUntil(now);
    if (decidesAt > now && !isToWarn) return "not-due";
    if (isShort && (await hasSpotForWaiting(tx, game, now))) return "list-first";
    if (decidesAt > now) {
      await recordWarning(tx, gameId, now);
      const warning = { gameId, decidesAt: decidesAt.toISOString() };
      return { ok: true, decided: "warned", notices: [["too-few-players", [warning]]] };
    }
    await recordDecision(tx, { gameId, decision: isShort ? "CalledOff" : "On", now });
    if (!isShort) return { ok: true, decided: "on" };
    const why = { minPlayers, players };
    const { event, notices } = await callOff(tx, jobs, game, { ...change, why, now });
    const mails: QueuedNotice[] = [...notices, ["called-off", [{ gameId, players }]]];
    return { ok: true, decided: "called-off", event, notices: mails };
  });
}

export async function findCalledOff(db: Db, gameId: string, now: Date) {
  const game = await findGame(db, gameId, now);
  if (!game || game.decision !== "CalledOff" || game.minPlayers === null) return null;
  const { minPlayers, startsAt, venue, date } = game;
  const when = `${weekdayAndTime(startsAt)}, ${monthDay(date)}`;
  const cashDueCents = await sumPendingCash(db, { gameId });
  return { gameId, when, where: `${venue.name}, ${venue.city}`, minPlayers, cashDueCents };
}

/** Null once it has been decided, moved or joined by enough players. */
export async function findDecisionToWarnOf(
  db: Db,
  { gameId, decidesAt }: { gameId: string; decidesAt: string },
  now: Date,
) {
  const game = await findGame(db, gameId, now);
  if (!game || game.status !== "Published" || !isUndecided(game) || hasEnough(game)) return null;
  if (game.decidesAt <= now || game.decidesAt.toISOString() !== decidesAt) return null;
  const { minPlayers, joinedCount: players, startsAt, venue } = game;
  const when = `${weekdayAndTime(startsAt)}, ${monthDay(game.date)}`;
  const where = `${venue.name}, ${venue.city}`;
  return { gameId, when, where, minPlayers, players, decided: weekdayAndTime(game.decidesAt) };
}
