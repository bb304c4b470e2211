import { clockTime, spotsLeft } from "#app/features/games/rules.ts";
import type { VenueGame } from "#app/features/venues/venues.server.ts";
import { monthDay } from "#app/platform/clock.ts";
import { creditsText } from "#app/platform/money.ts";

/** A venue's game in the words of its line. */
export function showGame(game: VenueGame) {
  return {
    id: game.id,
    title: game.title,
    date: game.date,
    monthDay: monthDay(game.date),
    start: clockTime(game.startTime),
    price: game.isFirstSessionFree ? "FREE" : `€${creditsText(game.priceCents)}`,
    spots: spotsLeft(game.maxPlayers, game.joinedCount),
  };
}

export type GameWords = ReturnType<typeof showGame>;
