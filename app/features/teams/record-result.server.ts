import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { findLineup, teamsVersion } from "./lineups.server.ts";
import { checkInUnmarked, type RestToCheckIn } from "#app/features/roster/roster.server.ts";
import { LIVE } from "#app/features/seats/rules.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { takesPlace } from "#app/features/roster/rules.ts";
import {
  resultProblem,
  type ResultProblem,
  type Score,
  scoresOf,
  winningTeam,
} from "./result-rules.ts";

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
  /** Version of the teams whose scores these are; 0 if the form shows none. */
  teamsVersion?: number;
  rest?: Pick<RestToCheckIn, "bookingIds" | "formKey"> | undefined;
  now: Date;
}

type RecordResult =
  | { ok: true; checkedIn?: number }
  | { ok: false; reason: "not-found" | "not-on" | "not-started" | "teams-changed" | ResultProblem }
  | { ok: false; reason: "changed"; current: Result; version: number };

/** Ignores players who left or did not come. With teams, the score decides who has won. Saves both
 * the result and the rest, or nothing. */
export async function recordResult(db: Db, recording: Recording): Promise<RecordResult> {
  const { gameId, actorId, version, rest, now } = recording;
  const change = { gameId, actorId, action: "game.result" } as const;
  return changeGame<RecordResult>(db, change, async (tx, game) => {
    if (!takesPlace(game)) return "not-on";
    if (!hasStarted(game, now)) return "not-started";
    const lineup = await findLineup(tx, gameId);
    const teams = lineup?.teams.length ?? 0;
    const isOtherTeams = (recording.teamsVersion ?? 0) !== teamsVersion(lineup);
    if (isOtherTeams || scoresOf(recording).length !== (teams || 2)) return "teams-changed";
    const seats = await listSeats(tx, gameId);
    const present = presentOf(recording.players, seats);
    const players = teams > 0 ? withWinners(present, seats, recording) : present;
    const after = { ...scoreOf(recording), players };
    const inTeams = players.map((player) => ({ ...player, team: teamOf(player, seats) }));
    const problem = resultProblem(after, inTeams, teams > 0);
    if (problem) return problem;
    const stored = await findResult(tx, gameId);
    const before = stored && { ...scoreOf(stored), players: recordedOf(seats) };
    const isStored = before !== null && isSame(before, after);
    if (stored && before && !isStored && stored.version !== version) {
      return { ok: false, reason: "changed", current: before, version: stored.version };
    }
    if (!isStored) await store(tx, recording, after);
    const events = isStored ? [] : [{ details: { before, after } }];
    if (!rest) return { ok: true, event: events };
    const { players: checkedIn, event } = await checkInUnmarked(tx, { gameId, ...rest });
    return { ok: true, checkedIn, event: [...events, ...event] };
  });
}

type RemoveResult = { ok: true } | { ok: false; reason: "not-found" | "changed" };

/** Takes goals and wins off the player cards. A repeat changes nothing. */
export async function removeResult(
  db: Db,
  { gameId, actorId, version }: { gameId: string; actorId: string; version: number },
): Promise<RemoveResult> {
  const change = { gameId, actorId, action: "game.result-removed" } as const;
  return changeGame<RemoveResult>(db, change, async (tx) => {
    const stored = await findResult(tx, gameId);
    if (!stored) return { ok: true };
    if (stored.version !== version) return "changed";
    const before = { ...scoreOf(stored), players: recordedOf(await listSeats(tx, gameId)) };
    await tx.deleteFrom("game_results").where("game_id", "=", gameId).execute();
    await clearPlayers(tx, gameId);
    return { ok: true, event: { details: { before, after: null } } };
  });
}

/** Says whether the game lacks a result as long as it has none: not every group counts. */
export function setKeepsResult(
  db: Db,
  { gameId, actorId, keeps }: { gameId: string; actorId: string; keeps: boolean },
): Promise<{ ok: true } | { ok: false; reason: "not-found" }> {
  const change = { gameId, actorId, action: "game.result-not-kept" } as const;
  return changeGame<{ ok: true } | { ok: false; reason: "not-found" }>(db, change, async (tx) => {
    const games = tx.updateTable("games").set({ keeps_result: keeps }).where("id", "=", gameId);
    const { numUpdatedRows } = await games.where("keeps_result", "!=", keeps).executeTakeFirst();
    const event = numUpdatedRows > 0n ? { details: { after: { keepsResult: keeps } } } : [];
    return { ok: true, event };
  });
}

type Seat = Awaited<ReturnType<typeof listSeats>>[number];

function listSeats(tx: Tx, gameId: string) {
  return liveBookings(tx, gameId)
    .select(["id as bookingId", "attendance", "goals", "has_won as hasWon", "team"])
    .orderBy("id")
    .execute();
}

type StoredScore = { [field in keyof Score]: Score[field] | null };

const scoreOf = ({ firstScore, secondScore, thirdScore, fourthScore }: StoredScore): Score => ({
  ...{ firstScore: firstScore ?? 0, secondScore: secondScore ?? 0 },
  ...(typeof thirdScore === "number" && { thirdScore }),
  ...(typeof fourthScore === "number" && { fourthScore }),
});

const teamOf = (player: PlayerResult, seats: Seat[]) =>
  seats.find(({ bookingId }) => bookingId === player.bookingId)?.team;

function withWinners(players: PlayerResult[], seats: Seat[], score: Score): PlayerResult[] {
  const winner = winningTeam(scoresOf(score));
  const winners = seats.filter(({ team }) => team !== null && team === winner);
  return players.map((player) => ({
    ...player,
    hasWon: winners.some(({ bookingId }) => bookingId === player.bookingId),
  }));
}

export async function updateWinners(tx: Tx, gameId: string): Promise<void> {
  const result = await findResult(tx, gameId);
  if (!result) return;
  const winner = winningTeam(scoresOf(result));
  await tx
    .updateTable("bookings")
    .set({ has_won: winner === null ? false : sql<boolean>`team is not distinct from ${winner}` })
    .where("game_id", "=", gameId)
    .where("goals", "is not", null)
    .where("payment_status", "in", LIVE)
    .execute();
}

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
  const [first_score = 0, second_score = 0, third_score = null, fourth_score = null] =
    scoresOf(result);
  const score = { first_score, second_score, third_score, fourth_score, recorded_at: now };
  await tx
    .insertInto("game_results")
    .values({ game_id: gameId, ...score })
    .onConflict((conflict) =>
      conflict.column("game_id").doUpdateSet({ ...score, version: sql`game_results.version + 1` }),
    )
    .execute();
  // Players left out now were recorded by mistake.
  await clearPlayers(tx, gameId);
  const ids = result.players.map(({ bookingId }) => bookingId);
  const goals = result.players.map((player) => player.goals);
  const won = result.players.map(({ hasWon }) => hasWon);
  await sql`
    update bookings set goals = player.goals, has_won = player.has_won
    from unnest(${ids}::uuid[], ${goals}::smallint[], ${won}::boolean[]) as player (id, goals, has_won)
    where bookings.id = player.id`.execute(tx);
}

async function clearPlayers(tx: Tx, gameId: string): Promise<void> {
  await tx
    .updateTable("bookings")
    .set({ goals: null, has_won: null })
    .where("game_id", "=", gameId)
    .where("goals", "is not", null)
    .execute();
}

export async function findResult(db: Db, gameId: string) {
  const result = await db
    .selectFrom("game_results")
    .select(["first_score as firstScore", "second_score as secondScore", "version"])
    .select(["third_score as thirdScore", "fourth_score as fourthScore"])
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  return result ? { ...scoreOf(result), version: result.version } : null;
}
