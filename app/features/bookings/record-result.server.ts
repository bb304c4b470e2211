import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { findResult, storeResult } from "./store-result.server.ts";
import { resultProblem, type ResultProblem, type Score, takesPlace } from "./sheet-rules.ts";

export interface PlayerResult {
  bookingId: string;
  goals: number;
  hasWon: boolean;
}
export interface Result extends Score {
  players: PlayerResult[];
}

interface Recording extends Result {
  gameId: string;
  actorId: string;
  /** The version that the form was filled from; 0 before there is any. */
  version: number;
  now: Date;
}

export type ResultAnswer =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-on" | "not-started" | ResultProblem }
  /** Another organiser has saved a result meanwhile: what stands there now. */
  | { ok: false; reason: "changed"; current: Result; version: number };

/**
 * Records or replaces how a game ended, who scored and who won, in one transaction with the deed.
 * Only who is still in and was no no-show is in the result. Repeating it changes nothing.
 */
export async function recordResult(db: Db, recording: Recording): Promise<ResultAnswer> {
  const { gameId, version, now } = recording;
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!hasStarted(game, now)) return { ok: false, reason: "not-started" };
    const seats = await listSeats(tx, gameId);
    const after = { ...scoreOf(recording), players: presentOf(recording.players, seats) };
    const problem = resultProblem(after, after.players);
    if (problem) return { ok: false, reason: problem };
    const stored = await findResult(tx, gameId);
    const before = stored && { ...scoreOf(stored), players: recordedOf(seats) };
    if (before && isSame(before, after)) return { ok: true };
    if (stored && before && stored.version !== version) {
      return { ok: false, reason: "changed", current: before, version: stored.version };
    }
    await store(tx, recording, after);
    const details = { before, after };
    await recordDeed(tx, {
      actor: recording.actorId,
      action: "game.result",
      subject: gameId,
      details,
    });
    return { ok: true };
  });
}

type Seat = Awaited<ReturnType<typeof listSeats>>[number];

function listSeats(tx: Tx, gameId: string) {
  return tx
    .selectFrom("bookings")
    .select(["id as bookingId", "attendance", "goals", "has_won as hasWon"])
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .orderBy("id")
    .execute();
}

const scoreOf = ({ firstScore, secondScore }: Score): Score => ({ firstScore, secondScore });

function presentOf(players: PlayerResult[], seats: Seat[]): PlayerResult[] {
  return seats.flatMap(({ bookingId, attendance }) => {
    const player = players.find((each) => each.bookingId === bookingId);
    if (!player || attendance === "NoShow") return [];
    return [{ bookingId, goals: player.goals, hasWon: player.hasWon }];
  });
}

function recordedOf(seats: Seat[]): PlayerResult[] {
  return seats.flatMap(({ bookingId, goals, hasWon }) =>
    goals === null || hasWon === null ? [] : [{ bookingId, goals, hasWon }],
  );
}

function isSame(one: Result, other: Result): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function store(tx: Tx, { gameId, now }: Recording, result: Result): Promise<void> {
  await storeResult(tx, gameId, result, now);
  // Who is not in it any more was recorded by mistake, or came after all.
  await tx
    .updateTable("bookings")
    .set({ goals: null, has_won: null })
    .where("game_id", "=", gameId)
    .where("goals", "is not", null)
    .execute();
  for (const { bookingId, goals, hasWon } of result.players) {
    const values = { goals, has_won: hasWon };
    await tx.updateTable("bookings").set(values).where("id", "=", bookingId).execute();
  }
}
