import {
  findNextFreeGame,
  type GameCard,
  listNextGames,
} from "#app/features/games/games.server.ts";
import { FREE_FOR_NEWCOMERS } from "#app/features/games/price.ts";
import { HOURS } from "#app/features/games/rules.ts";
import { addDays, helsinkiDate, monthDay, upperWeekday } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { toCardView, toFirstSteps } from "#app/routes/game-card/list-view.server.ts";

const GAMES_SHOWN = 3;

export type NextGamesView = Awaited<ReturnType<typeof loadNextGames>>;

/** What a visitor can play next; omits games that cannot be read. */
export async function loadNextGames(app: App) {
  const now = app.now();
  const { games, free } = await findGames(app, now);
  return {
    when: soonest(games, now),
    games: games.map((game) => ({
      ...toCardView(game, { now }),
      date: game.date,
      weekday: upperWeekday(game.date),
      day: game.date === helsinkiDate(now) ? "Today" : monthDay(game.date),
    })),
    free: free && toFirstSteps(free, now, FREE_FOR_NEWCOMERS),
  };
}

async function findGames({ db }: App, now: Date) {
  try {
    const found = [
      listNextGames(db, { limit: GAMES_SHOWN, now }),
      findNextFreeGame(db, now),
    ] as const;
    const [games, free] = await Promise.all(found);
    return { games, free };
  } catch (error) {
    log.error({ err: error }, "loading the next games");
    return { games: [], free: null };
  }
}

/** Completes "Play …", and promises only what the games keep. */
function soonest(games: GameCard[], now: Date): string {
  const today = helsinkiDate(now);
  const todays = games.filter(({ date }) => date === today);
  if (todays.some(({ startTime }) => startTime >= HOURS.Evening.from)) return "tonight";
  if (todays.length > 0) return "today";
  return games.some(({ date }) => date <= sundayOf(today)) ? "this week" : "on campus";
}

function sundayOf(date: string): string {
  const [weekday] = [0, 1, 2, 3, 4, 5, 6].filter(
    (days) => upperWeekday(addDays(date, days)) === "SUNDAY",
  );
  return addDays(date, weekday!);
}
