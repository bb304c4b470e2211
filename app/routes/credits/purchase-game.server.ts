import { findGame } from "#app/features/games/games.server.ts";
import { spotsLeft, spotsText } from "#app/features/games/rules.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";

const GAME = /^\/events\/([0-9a-f-]{36})(?:[?#]|$)/i;

/** The id of the game at which a purchase began, if this is a game's address. */
export function gameIdOf(path: string | null): string | null {
  return GAME.exec(path ?? "")?.[1] ?? null;
}

/** The game at which a purchase began, as the pages of the purchase name it. Drafts stay hidden. */
export async function findPurchaseGame(db: Db, returnTo: string | null) {
  const gameId = gameIdOf(returnTo);
  const game = gameId && (await findGame(db, gameId));
  if (!game || game.status !== "Published") return null;
  const { id, venue, startsAt, maxPlayers, joinedCount } = game;
  const spots = spotsText(spotsLeft(maxPlayers, joinedCount));
  return { path: `/events/${id}`, line: `${venue.name}, ${weekdayAndTime(startsAt)} · ${spots}` };
}
export type PurchaseGame = NonNullable<Awaited<ReturnType<typeof findPurchaseGame>>>;
