import { type Minimum, pendingDecision } from "#app/features/games/minimum-rules.ts";
import { HOLD_ENDS_MINUTES } from "#app/features/games/rules.ts";
import { timeText } from "#app/platform/clock.ts";

export const HOLD_MINUTES = 30;
const SHORTEST_MINUTES = 5;
/** Holds of a player in one game that nobody took; after so many there are no others. */
export const HOLDS_UNTAKEN_MAX = 2;
export const HOLDS_AT_ONCE_MAX = 3;

const MINUTE_MS = 60_000;

export const HELD_BADGE = { text: "Held for you", tone: "green" as const };

type HeldGame = Pick<Minimum, "minPlayers" | "decidesAt" | "decision"> & { startsAt: Date };

/** Until when a spot can be held now; null where it is too late. Never past the game's decision. */
export function holdUntil(game: HeldGame, now: Date): Date | null {
  const latest = game.startsAt.getTime() - HOLD_ENDS_MINUTES * MINUTE_MS;
  const decidesAt = pendingDecision(game)?.getTime() ?? Infinity;
  const until = Math.min(now.getTime() + HOLD_MINUTES * MINUTE_MS, latest, decidesAt);
  return until - now.getTime() >= SHORTEST_MINUTES * MINUTE_MS ? new Date(until) : null;
}

/** "for 30 minutes", or until when. */
export function holdTime(until: Date, now: Date): string {
  const isWhole = until.getTime() - now.getTime() === HOLD_MINUTES * MINUTE_MS;
  return isWhole ? `for ${HOLD_MINUTES} minutes` : `until ${timeText(until, now)}`;
}

export const isHoldToken = (text: unknown): text is string =>
  typeof text === "string" && /^[\w-]{22}$/.test(text);

export function holdTokenAt(path: string | null | undefined): string | null {
  const [, query = ""] = /^[^#?]*\?([^#]*)/.exec(path ?? "") ?? [];
  const token = new URLSearchParams(query).get("hold");
  return isHoldToken(token) ? token : null;
}

export const gamePath = (gameId: string, token?: string | null) =>
  `/events/${gameId}${token ? `?hold=${token}` : ""}`;
