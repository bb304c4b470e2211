import type { AdminGame, SeriesGame } from "#app/features/games/admin-games.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { monthDay, monthDayYear, shortWeekday } from "#app/platform/clock.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export const STATUS_TONES: Record<GameStatus, BadgeTone> = {
  Draft: "neutral",
  Published: "green",
  Cancelled: "red",
  Completed: "sky",
};

/** "Sat, Nov 21, 2026". */
export function dayWords(date: string): string {
  return `${shortWeekday(date)}, ${monthDayYear(date)}`;
}

/** "19:00–20:30"; past midnight it says so. */
export function timeWords(startTime: string, endTime: string): string {
  const [start, end] = [clockTime(startTime), clockTime(endTime)];
  return `${start}–${end}${end < start ? " (past midnight)" : ""}`;
}

/** A row of the list, in words; made on the server. */
export function showDeskGame(game: AdminGame) {
  return {
    id: game.id,
    title: game.title,
    day: dayWords(game.date),
    time: timeWords(game.startTime, game.endTime),
    place: `${game.venueName}, ${game.city}`,
    status: game.status,
    seats: seatWords(game),
  };
}

export type DeskGameWords = ReturnType<typeof showDeskGame>;

/** Another game of the same series. */
export function showSeriesGame(game: SeriesGame) {
  return {
    id: game.id,
    day: `${shortWeekday(game.date)}, ${monthDay(game.date)}, ${clockTime(game.startTime)}`,
    status: game.status,
    seats: seatWords(game),
  };
}

export type SeriesGameWords = ReturnType<typeof showSeriesGame>;

function seatWords({ joinedCount, maxPlayers }: { joinedCount: number; maxPlayers: number }) {
  return `${joinedCount}/${maxPlayers}`;
}
