import { type TodaysGame, listGamesOfToday } from "#app/features/roster/current-games.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { addDays, helsinkiDate, monthDay, shortWeekday } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { canMark } from "#app/features/roster/rules.ts";

export async function loadToday({ db, now }: App) {
  const instant = now();
  const games = await listGamesOfToday(db, instant);
  const tomorrow = addDays(helsinkiDate(instant), 1);
  const isLater = ({ startsAt }: TodaysGame) => helsinkiDate(startsAt) >= tomorrow;
  return {
    today: games.filter((game) => !isLater(game)).map((game) => toTodaysGameView(game, instant)),
    next: games.filter(isLater).map((game) => toTodaysGameView(game, instant)),
  };
}

function toTodaysGameView(game: TodaysGame, now: Date) {
  const { id, title, venueName, startsAt, startTime, endTime, joinedCount, maxPlayers } = game;
  const date = helsinkiDate(startsAt);
  const today = helsinkiDate(now);
  const other =
    date === addDays(today, 1) ? "Tomorrow" : `${shortWeekday(date)}, ${monthDay(date)}`;
  const isMarked = canMark(game, now) && joinedCount > 0;
  return {
    ...{ id, title, venueName },
    day: date === today ? null : other,
    time: `${clockTime(startTime)}–${clockTime(endTime)}`,
    seats: `${joinedCount}/${maxPlayers}`,
    checkedIn: isMarked ? `${game.checkedIn} of ${joinedCount} checked in` : null,
  };
}
export type TodaysGameView = ReturnType<typeof toTodaysGameView>;
