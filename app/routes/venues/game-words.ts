import { clockTime, spotsLeft } from "../../features/games/rules.ts";
import type { VenueGame } from "../../features/venues/venues.server.ts";
import { monthDay } from "../../platform/clock.ts";
import { creditsText } from "../../platform/money.ts";

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
