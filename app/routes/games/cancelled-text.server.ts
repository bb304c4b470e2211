import { findHeldSpot } from "#app/features/bookings/friends.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

/** What is said instead of the page of a game that its viewer may not see. */
export async function findCancelledText({ db, now }: App, gameId: string, token: string | null) {
  const game = await findGame(db, gameId, now());
  if (game?.status !== "Cancelled") return null;
  const spot = token && (await findHeldSpot(db, { gameId, token, now: now() }));
  // Whoever was invited has read where and when it is.
  const which = spot ? `: ${game.venue.name}, ${dayAndTime(game.startsAt, now())}` : "";
  return `This game was cancelled${which}.`;
}
