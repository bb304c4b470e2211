import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { clockTime, spotsLeft, spotsText } from "#app/features/games/rules.ts";
import { monthDay, shortWeekday, weekdayAndTime } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

const GAME = /^\/events\/([0-9a-f-]{36})(?:[?#]|$)/i;

/** The id of the game at which a purchase began, if this is a game's address. */
export function gameIdOf(path: string | null): string | null {
  return GAME.exec(path ?? "")?.[1] ?? null;
}

/** The game at which a purchase began, as the pages of the purchase name it. Drafts stay hidden. */
export async function findPurchaseGame(
  { db, now }: Pick<App, "db" | "now">,
  returnTo: string | null,
) {
  const gameId = gameIdOf(returnTo);
  const game = gameId && (await findGame(db, gameId));
  if (!game || game.status !== "Published") return null;
  const { id, venue, maxPlayers, joinedCount } = game;
  return {
    path: `/events/${id}`,
    name: `${venue.name}, ${whenText(game, now())}`,
    spots: spotsText(spotsLeft(maxPlayers, joinedCount)),
  };
}
export type PurchaseGame = NonNullable<Awaited<ReturnType<typeof findPurchaseGame>>>;

const WEEK_MS = 7 * 86_400_000;

/** "Mon 20:00", from a week ahead on "Mon, Nov 30, 20:00". */
function whenText({ date, startTime, startsAt }: GameDetails, now: Date): string {
  if (startsAt.getTime() - now.getTime() < WEEK_MS) return weekdayAndTime(startsAt);
  return `${shortWeekday(date)}, ${monthDay(date)}, ${clockTime(startTime)}`;
}
