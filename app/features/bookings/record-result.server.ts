import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { liveBookings } from "./bookings.server.ts";
import { resultProblem, type ResultProblem, type Score, takesPlace } from "./rules.ts";

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
  version: number;
  now: Date;
}

type RecordResult =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-on" | "not-started" | ResultProblem }
  | { ok: false; reason: "changed"; current: Result; version: number };

/** Players who left or were no-shows are left out. A repeat changes nothing. */
export async function recordResult(db: Db, recording: Recording): Promise<RecordResult> {
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
    const action = "game.result";
    const details = { before, after };
    await recordAudit(tx, { actor: recording.actorId, action, subject: gameId, details });
    return { ok: true };
  });
}

type Seat = Awaited<ReturnType<typeof listSeats>>[number];

function listSeats(tx: Tx, gameId: string) {
  return liveBookings(tx, gameId)
    .select(["id as bookingId", "attendance", "goals", "has_won as hasWon"])
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
  const { firstScore, secondScore } = result;
  const score = { first_score: firstScore, second_score: secondScore, recorded_at: now };
  await tx
    .insertInto("game_results")
    .values({ game_id: gameId, ...score })
    .onConflict((conflict) =>
      conflict.column("game_id").doUpdateSet({ ...score, version: sql`game_results.version + 1` }),
    )
    .execute();
  // Players left out now were recorded by mistake.
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

export async function findResult(db: Db, gameId: string) {
  const result = await db
    .selectFrom("game_results")
    .select(["first_score as firstScore", "second_score as secondScore", "version"])
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  return result ?? null;
}
