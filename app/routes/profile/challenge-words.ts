import type { Progress } from "#app/features/rewards/rewards.server.ts";
import {
  challengeState,
  gamesMissing,
  GOAL_GAMES,
  monthAfter,
  REWARD_CENTS,
} from "#app/features/rewards/rules.ts";
import { monthDay } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";

/** The monthly challenge as its card shows it. */
export function showChallenge(progress: Progress) {
  const { gamesCompleted, month } = progress;
  const next = monthDay(`${monthAfter(month)}-01`);
  const done = Math.min(gamesCompleted, GOAL_GAMES);
  return {
    state: challengeState(progress),
    done,
    goal: GOAL_GAMES,
    progress: `${done} of ${GOAL_GAMES} games`,
    message: messageOf(progress, next),
    // Once claimed, the message says it.
    resets: challengeState(progress) === "claimed" ? null : `Progress resets on ${next}.`,
  };
}
export type ChallengeWords = ReturnType<typeof showChallenge>;

/** "complete 3 more games". */
export function completeMore(missing: number): string {
  return `complete ${missing} more ${missing === 1 ? "game" : "games"}`;
}

function messageOf(progress: Progress, next: string): string {
  const state = challengeState(progress);
  if (state === "claimed") {
    return `Reward claimed: ${creditsCount(REWARD_CENTS)} are in your wallet. A new challenge starts on ${next}.`;
  }
  if (state === "earned") return "Five games played this month. The reward is yours.";
  const missing = completeMore(gamesMissing(progress.gamesCompleted));
  return `This month: ${missing} to earn ${creditsCount(REWARD_CENTS)}.`;
}
