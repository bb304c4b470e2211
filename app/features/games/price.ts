import { creditsCount, creditsInEuros } from "#app/platform/money.ts";
import { GAME_PRICE_CENTS, priceCents } from "./rules.ts";

export const IF_FIRST_SESSION = "if it's your first session";

/** What visitors read of a free first session, on every page alike. */
export const FREE_FOR_NEWCOMERS = `Free ${IF_FIRST_SESSION}`;

/** Once above a list, whose cards name the credits alone. */
export const GAME_COSTS = `A game costs ${creditsInEuros(GAME_PRICE_CENTS)}.`;

export interface PriceViewer {
  hasUsedFreeSession: boolean;
  balanceCents: number;
  /** Ids of games that the viewer is in, and of those that were free. */
  joined?: string[];
  joinedFree?: string[];
}

/** What every page says of a game's price to this viewer; null is a visitor. */
export function priceView(
  game: { id: string; isFirstSessionFree: boolean },
  viewer: PriceViewer | null,
) {
  const isFree = viewer?.joinedFree?.includes(game.id) || priceCents(game, viewer) === 0;
  const isIn = viewer?.joined?.includes(game.id) ?? false;
  // Who has the credits, or the spot, needs no euros.
  const hasEuros = !isFree && !isIn && lacksCredits(viewer);
  const newcomers = game.isFirstSessionFree && !viewer ? FREE_FOR_NEWCOMERS : null;
  return {
    cents: isFree ? 0 : GAME_PRICE_CENTS,
    credits: (hasEuros ? creditsInEuros : creditsCount)(GAME_PRICE_CENTS),
    hasEuros,
    /** Stands beside the credits. */
    free: isFree ? (isIn ? "Free" : "Free for you") : newcomers,
  };
}

export const lacksCredits = (viewer: Pick<PriceViewer, "balanceCents"> | null) =>
  (viewer?.balanceCents ?? 0) < GAME_PRICE_CENTS;
