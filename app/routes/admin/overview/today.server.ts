import { type TodaysGame, listGamesOfToday } from "#app/features/roster/current-games.server.ts";
import { unreadText } from "#app/features/chat/rules.ts";
import type { UnreadChat } from "#app/features/chat/unread.server.ts";
import { clockTime, gamesText } from "#app/features/games/rules.ts";
import {
  addDays,
  dateAndTime,
  helsinkiDate,
  monthDay,
  shortWeekday,
  wallClock,
} from "#app/platform/clock.ts";
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
const CHATS_SHOWN = 5;

/** The next games that players write in; null if all is read. */
export function toUnreadView(chats: UnreadChat[]) {
  if (chats.length === 0) return null;
  const more = chats.length - CHATS_SHOWN;
  return {
    chats: chats.slice(0, CHATS_SHOWN).map(({ gameId, title, venueName, startsAt, count }) => ({
      gameId,
      when: dateAndTime(wallClock(startsAt)),
      place: `${venueName}, ${title}`,
      unread: unreadText(count),
    })),
    more:
      more > 0 ? `${gamesText(more)} more have unread messages: the list of games has them.` : null,
  };
}
export type UnreadChatsView = NonNullable<ReturnType<typeof toUnreadView>>;

export type TodaysGameView = ReturnType<typeof toTodaysGameView>;
