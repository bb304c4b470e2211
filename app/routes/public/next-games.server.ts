import { findNextGames, type NextGame } from "#app/features/games/next-games.server.ts";
import {
  clockTime,
  GAME_PRICE_CENTS,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { addDays, dayAndTime, helsinkiDate, monthDay, shortWeekday } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";

export type NextGamesView = Awaited<ReturnType<typeof loadNextGames>>;

/** What a visitor can play next; games that cannot be read are left out. */
export async function loadNextGames({ db, now: clock }: App) {
  const now = clock();
  const { next, free } = await findNextGames(db, now).catch((error: unknown) => {
    log.error({ err: error }, "loading the next games");
    return { next: [], free: null };
  });
  return {
    when: soonest(next, now),
    games: next.map((game) => toCard(game, now)),
    free: free && {
      path: `/events/${free.id}`,
      name: `${free.venueName}, ${dayAndTime(free.startsAt, now)}`,
    },
  };
}

const EVENING = "17:00";

/** Finishes "Play …": no promise that the games do not keep. */
function soonest(games: NextGame[], now: Date): string {
  const today = helsinkiDate(now);
  const todays = games.filter(({ date }) => date === today);
  if (todays.some(({ startTime }) => startTime >= EVENING)) return "tonight";
  if (todays.length > 0) return "today";
  return games.some(({ date }) => date < addDays(today, 7)) ? "this week" : "on campus";
}

function toCard(game: NextGame, now: Date) {
  const spots = spotsLeft(game.maxPlayers, game.joinedCount);
  return {
    path: `/events/${game.id}`,
    time: clockTime(game.startTime),
    weekday: shortWeekday(game.date),
    date: game.date,
    day: game.date === helsinkiDate(now) ? "Today" : monthDay(game.date),
    venueName: game.venueName,
    city: game.city,
    price: creditsCount(GAME_PRICE_CENTS),
    isFree: game.isFirstSessionFree,
    spots: { text: spotsText(spots), tone: spotsTone(spots) },
  };
}
