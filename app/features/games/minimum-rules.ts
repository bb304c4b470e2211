import { dayAndTime, helsinkiDate, wallClock } from "#app/platform/clock.ts";
import type { GameDecision } from "#app/platform/schema.ts";
import { hasStarted, playersText } from "./rules.ts";
import { kickOff, type Slot } from "./time-slots.ts";
import { creditsCount } from "#app/platform/money.ts";

/** Hours before kick-off, unless the organiser chooses otherwise. */
export const DECIDES_HOURS = 3;
export const LEAST_DECIDES_HOURS = 0.5;
export const MOST_DECIDES_HOURS = 168;
/** Before the decision, organisers are warned of too few players. */
const WARNING_HOURS = 2;
const HOUR_MS = 3_600_000;

type PlannedMinimum = Slot & { minPlayers: number | null; decidesHours: number };

/** Null without a minimum, and for a kick-off in the hour that spring skips. */
export function decisionTime(plan: PlannedMinimum): Date | null {
  const startsAt = kickOff(plan);
  if (plan.minPlayers === null || !startsAt) return null;
  return new Date(startsAt.getTime() - plan.decidesHours * HOUR_MS);
}

export function warnedUntil(now: Date): Date {
  return new Date(now.getTime() + WARNING_HOURS * HOUR_MS);
}

export interface Minimum {
  minPlayers: number | null;
  decidesAt: Date | null;
  decision: GameDecision | null;
  joinedCount: number;
}

interface Undecided extends Minimum {
  minPlayers: number;
  decidesAt: Date;
  decision: null;
}

export function isUndecided<Game extends Minimum>(game: Game): game is Game & Undecided {
  return pendingDecision(game) !== null;
}

export function pendingDecision(
  game: Pick<Minimum, "minPlayers" | "decidesAt" | "decision">,
): Date | null {
  return game.minPlayers === null || game.decision ? null : game.decidesAt;
}

export function hasEnough({ minPlayers, joinedCount }: Minimum): boolean {
  return joinedCount >= (minPlayers ?? 0);
}

/** Whether a published game will be played; null where nothing depends on its players. */
export function minimumText(game: Minimum & { startsAt: Date }, now: Date): string | null {
  const { minPlayers, decidesAt, decision, joinedCount } = game;
  if (minPlayers === null || !decidesAt || decision === "CalledOff") return null;
  if (hasStarted(game, now)) return null;
  if (decision === "On" || hasEnough(game)) {
    return `On: ${playersText(joinedCount)} ${joinedCount === 1 ? "is" : "are"} in.`;
  }
  if (decision) return `On in any case: ${playersText(joinedCount)} so far.`;
  const from = `On from ${playersText(minPlayers)}. ${joinedCount} so far.`;
  return `${from} Decided ${decisionDay(decidesAt, now)}.`;
}

function decisionDay(decidesAt: Date, now: Date): string {
  const isToday = helsinkiDate(decidesAt) === helsinkiDate(now);
  return isToday ? `at ${wallClock(decidesAt).time.slice(0, 5)}` : dayAndTime(decidesAt, now);
}

export function withFewerText(priceCents: number | null): string {
  if (priceCents === 0) return "With fewer it is cancelled, and your free session comes back.";
  const back = priceCents === null ? "your credits" : creditsCount(priceCents);
  return `With fewer it is cancelled, and you get ${back} back.`;
}
