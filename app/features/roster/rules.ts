import { GAME_PRICE_CENTS, hasStarted } from "#app/features/games/rules.ts";
import type { Attendance, CashMethod, GameStatus } from "#app/platform/schema.ts";

export const NO_SHOW_NOTE_MAX = 200;

/** For how long one counts, from the game's kick-off. */
export const NO_SHOW_DAYS = 90;

const NO_SHOW_MS = NO_SHOW_DAYS * 86_400_000;

export const noShowsSince = (now: Date) => new Date(now.getTime() - NO_SHOW_MS);

export const noShowEnds = (startsAt: Date) => new Date(startsAt.getTime() + NO_SHOW_MS);

export const noShowsText = (count: number) => (count === 1 ? "1 no-show" : `${count} no-shows`);

export const CASH_METHODS = ["Cash", "MobilePay", "Other"] as const satisfies CashMethod[];

/** Whether a seat's price by hand is far from the usual: less than a third of it, or more than twice. */
export const isUnusualCash = (amountCents: number) =>
  amountCents * 3 < GAME_PRICE_CENTS || amountCents > 2 * GAME_PRICE_CENTS;

const MARKING_MINUTES = 60;

/** Whether attendance can be marked: from an hour before kick-off, earlier taps are mistakes. */
export function canMark(game: { startsAt: Date }, now: Date): boolean {
  return now.getTime() >= game.startsAt.getTime() - MARKING_MINUTES * 60_000;
}

/** Whether the mark can be set: a no-show is a fact from kick-off. */
export function canMarkAs(game: { startsAt: Date }, to: Attendance | null, now: Date): boolean {
  return to === "NoShow" ? hasStarted(game, now) : canMark(game, now);
}

export function takesPlace({ status }: { status: GameStatus }): boolean {
  return status === "Published" || status === "Completed";
}
