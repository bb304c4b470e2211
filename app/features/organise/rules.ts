import { gamesText } from "#app/features/games/rules.ts";
import { dateAndTime, wallClock } from "#app/platform/clock.ts";

export const SUBJECT_MAX = 120;

export const MESSAGE_MAX = 5_000;

type Unfinished = { games: number; left: number; startedAt: Date };

/** A worker that is alive has begun long before. */
const STUCK_MS = 5 * 60_000;

export const isStuck = (startedAt: Date, now: Date) =>
  now.getTime() - startedAt.getTime() > STUCK_MS;

/** "12 of 100 games refunded", of the overview. */
export function cancellationState({ games, left, startedAt }: Unfinished, now: Date): string {
  const state = `${games - left} of ${gamesText(games)} refunded`;
  return isStuck(startedAt, now) ? `${state}, begun ${dateAndTime(wallClock(startedAt))}` : state;
}
