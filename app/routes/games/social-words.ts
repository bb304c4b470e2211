import type { GameDetails } from "#app/features/games/games.server.ts";
import {
  clockTime,
  hasStarted,
  isOver,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { monthDay, upperWeekday } from "#app/platform/clock.ts";

/** What the preview of a game's link says. Players are no part of it. */
export function socialWords(game: GameDetails, now: Date) {
  const spots = spotsLeft(game.maxPlayers, game.joinedCount);
  return {
    weekday: upperWeekday(game.date),
    day: monthDay(game.date),
    start: clockTime(game.startTime),
    end: clockTime(game.endTime),
    venue: game.venue.name,
    city: game.venue.city,
    photoUrl: game.venue.photoUrls[0] ?? null,
    badge: badgeOf(game, spots, now),
  };
}

export type SocialWords = ReturnType<typeof socialWords>;

function badgeOf(game: GameDetails, spots: number, now: Date) {
  if (game.status === "Cancelled") return { text: "Cancelled", tone: "red" as const };
  if (game.status === "Completed" || isOver(game, now)) {
    return { text: "Over", tone: "grey" as const };
  }
  if (hasStarted(game, now)) return { text: "Already started", tone: "grey" as const };
  return { text: spotsText(spots), tone: spotsTone(spots) };
}
