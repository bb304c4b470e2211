import { gameIdAt } from "#app/features/accounts/rules.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { priceView } from "#app/features/games/price.ts";
import { hasStarted, isOver, spotsLeft, spotsText } from "#app/features/games/rules.ts";

interface Invitation {
  game: string;
  /** For visitors; null where nobody can join any more. */
  price: string | null;
  state: string;
}

/** The public game at a path of ours, until it is over; null for every other path. */
export async function findInvitation(
  db: Db,
  path: string | null,
  now: Date,
): Promise<Invitation | null> {
  const gameId = gameIdAt(path);
  const game = gameId === null ? null : await findGame(db, gameId, now);
  if (!game || game.status !== "Published" || isOver(game, now)) return null;
  return {
    game: `${game.venue.name}, ${dayAndTime(game.startsAt, now)}`,
    ...invitationState(game, now),
  };
}

/** For an email, which is read later: without its spots. */
export async function nameGame(db: Db, path: string | null, now: Date): Promise<string | null> {
  return (await findInvitation(db, path, now))?.game ?? null;
}

function invitationState(game: GameDetails, now: Date) {
  if (hasStarted(game, now)) return { price: null, state: "already started" };
  const { credits, free } = priceView(game, null);
  const spots = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount);
  return { price: free ?? credits, state: spots === 0 ? "full" : spotsText(spots) };
}
