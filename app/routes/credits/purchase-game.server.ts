import { gameIdAt } from "#app/features/accounts/rules.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { spotsLeft, spotsText } from "#app/features/games/rules.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

/** The game at which a purchase began, as the pages of the purchase name it. Drafts stay hidden. */
export async function findPurchaseGame(
  { db, now }: Pick<App, "db" | "now">,
  returnTo: string | null,
) {
  const gameId = gameIdAt(returnTo);
  const game = gameId && (await findGame(db, gameId));
  if (!game || game.status !== "Published") return null;
  const { id, venue, startsAt, maxPlayers, joinedCount, heldCount } = game;
  return {
    path: `/events/${id}`,
    name: `${venue.name}, ${dayAndTime(startsAt, now())}`,
    spots: spotsText(spotsLeft(maxPlayers, joinedCount, heldCount)),
  };
}
export type PurchaseGame = NonNullable<Awaited<ReturnType<typeof findPurchaseGame>>>;
