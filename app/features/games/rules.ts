import type { GameLevel, GameStatus } from "#app/platform/schema.ts";

/** A game costs 10 credits (specification, section 9); a first session can be free. */
export const GAME_PRICE_CENTS = 1_000;
export const DEFAULT_FORMAT = "5v5";
export const MAX_PLAYERS_LIMIT = 200;

/** Parts of a day by kick-off on Helsinki's clock, each until before its end. */
export const HOURS = {
  Morning: { from: "00:00", to: "12:00" },
  Afternoon: { from: "12:00", to: "17:00" },
  Evening: { from: "17:00", to: "24:00" },
} as const;
export type TimeOfDay = keyof typeof HOURS;
export const TIMES_OF_DAY = Object.keys(HOURS) as TimeOfDay[];

export const LEVELS = ["All levels", "Relaxed", "Competitive"] as const satisfies GameLevel[];

/** The one price helper. Visitors see the full price: the free session is known by account. */
export function priceCents(
  game: { isFirstSessionFree: boolean },
  player: { hasUsedFreeSession: boolean } | null,
): number {
  return game.isFirstSessionFree && player && !player.hasUsedFreeSession ? 0 : GAME_PRICE_CENTS;
}

/** No spot is held for a friend in the last hour before kick-off. */
export const HOLD_ENDS_MINUTES = 60;

export function spotsLeft(maxPlayers: number, joinedCount: number, heldCount = 0): number {
  return Math.max(0, maxPlayers - joinedCount - heldCount);
}

export function spotsText(spots: number): string {
  return `${spots} spots left`;
}

export const gamesText = (count: number) => (count === 1 ? "1 game" : `${count} games`);

export function playersText(count: number): string {
  return count === 1 ? "1 player" : `${count} players`;
}

export function spotsTone(spots: number): "red" | "green" {
  return spots === 0 ? "red" : "green";
}

/** Whether it can be changed: neither cancelled nor completed. */
export function isOpen({ status }: { status: GameStatus }): boolean {
  return status === "Draft" || status === "Published";
}

export function hasStarted(game: { startsAt: Date }, now: Date): boolean {
  return game.startsAt <= now;
}

export function isOver(game: { endsAt: Date }, now: Date): boolean {
  return game.endsAt <= now;
}

/** How far a game is. */
export const gameState = (
  game: { status: GameStatus; startsAt: Date; endsAt: Date },
  now: Date,
) => ({
  isCalledOff: game.status === "Cancelled",
  isDraft: game.status === "Draft",
  isOver: isOver(game, now),
  hasStarted: hasStarted(game, now),
});

export function clockTime(time: string): string {
  return time.slice(0, 5);
}

export function durationMinutes(game: { startsAt: Date; endsAt: Date }): number {
  return Math.round((game.endsAt.getTime() - game.startsAt.getTime()) / 60_000);
}
