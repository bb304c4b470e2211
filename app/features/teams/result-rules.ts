export const SCORE_MAX = 99;

export interface Score {
  firstScore: number;
  secondScore: number;
  thirdScore?: number;
  fourthScore?: number;
}

export const SCORE_FIELDS = ["firstScore", "secondScore", "thirdScore", "fourthScore"] as const;

export const scoresOf = (score: Score): number[] =>
  SCORE_FIELDS.flatMap((field) => score[field] ?? []);

/** The number of the team with the highest score, from 1; null for a draw. */
export function winningTeam(scores: number[]): number | null {
  const best = Math.max(...scores);
  const first = scores.indexOf(best);
  return scores.lastIndexOf(best) === first ? first + 1 : null;
}

export type ResultProblem =
  | "too-many-goals"
  | "too-many-goals-of-team"
  | "winners-of-a-draw"
  | "too-many-winners";

/** Fewer goals than the score are fine (own goals, guests). With more than two teams the scores may
 * be won matches, so goals are not compared. Teams decide who has won. */
export function resultProblem(
  score: Score,
  players: { goals: number; hasWon: boolean; team?: number | null | undefined }[],
  hasTeams = false,
): ResultProblem | null {
  const scores = scoresOf(score);
  const goals = players.reduce((sum, player) => sum + player.goals, 0);
  if (scores.length === 2 && goals > score.firstScore + score.secondScore) return "too-many-goals";
  if (scores.length === 2 && scores.some((of, n) => goalsOf(players, n + 1) > of)) {
    return "too-many-goals-of-team";
  }
  if (hasTeams) return null;
  const winners = players.filter(({ hasWon }) => hasWon).length;
  if (winners > 0 && winningTeam(scores) === null) return "winners-of-a-draw";
  return winners > mostWinners(players.length) ? "too-many-winners" : null;
}

const goalsOf = (players: Parameters<typeof resultProblem>[1], number: number) =>
  players.reduce((sum, { goals, team }) => sum + (team === number ? goals : 0), 0);

/** Without teams, nobody plays one against more than two, guests aside. */
export const mostWinners = (players: number) => Math.max(1, Math.floor((players * 2) / 3));
