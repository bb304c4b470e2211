import type { GameStatus } from "#app/platform/schema.ts";

/** Who is early can be checked in; before that a tap can only be a mistake. */
const MARKING_MINUTES = 60;

export const SCORE_MAX = 99;
export const SUBJECT_MAX = 120;
export const MESSAGE_MAX = 5_000;

/** Whether players can be marked as there or not, and a no-show undone. */
export function canMark(game: { startsAt: Date }, now: Date): boolean {
  return now.getTime() >= game.startsAt.getTime() - MARKING_MINUTES * 60_000;
}

/** A game that takes place, or has taken place: only such a one has a sheet to write on. */
export function takesPlace({ status }: { status: GameStatus }): boolean {
  return status === "Published" || status === "Completed";
}

export interface Score {
  firstScore: number;
  secondScore: number;
}

export type ResultProblem = "too-many-goals" | "winners-of-a-draw";

/**
 * Why a result cannot be, or null. Fewer goals than were scored are fine: there are own goals, and
 * guests.
 */
export function resultProblem(
  { firstScore, secondScore }: Score,
  players: { goals: number; hasWon: boolean }[],
): ResultProblem | null {
  const goals = players.reduce((sum, player) => sum + player.goals, 0);
  if (goals > firstScore + secondScore) return "too-many-goals";
  const isDraw = firstScore === secondScore;
  return isDraw && players.some(({ hasWon }) => hasWon) ? "winners-of-a-draw" : null;
}
