/** The monthly challenge (specification, section 9): so many games, so many credits. */
export const GOAL_GAMES = 5;
export const REWARD_CENTS = 1_000;

type ChallengeState = "open" | "earned" | "claimed";

/** Once claimed it stays claimed, whatever happens to the games. */
export function challengeState(progress: {
  gamesCompleted: number;
  isClaimed: boolean;
}): ChallengeState {
  if (progress.isClaimed) return "claimed";
  return progress.gamesCompleted >= GOAL_GAMES ? "earned" : "open";
}

export function gamesMissing(gamesCompleted: number): number {
  return Math.max(0, GOAL_GAMES - gamesCompleted);
}

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}
