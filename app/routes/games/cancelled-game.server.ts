import { sumRefundsOf } from "#app/features/organise/cancel-game.server.ts";
import { findHeldSpot, heldUntilCancelled } from "#app/features/friends/friends.server.ts";
import { isRefundPending } from "#app/features/seats/pending-refunds.server.ts";
import { describePendingCash } from "#app/features/bookings/pending-cash.server.ts";
import { listOtherGames } from "#app/features/organise/other-games.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";

/** What is said instead of the page of a game that its viewer may not see. */
export async function findCancelledText({ db, now }: App, gameId: string, token: string | null) {
  const game = await findGame(db, gameId, now());
  if (game?.status !== "Cancelled") return null;
  const spot = token && (await findHeldSpot(db, { gameId, token, now: now() }));
  // Anybody who was invited has read where and when it is.
  const which = spot ? `: ${game.venue.name}, ${dayAndTime(game.startsAt, now())}` : "";
  return `This game was cancelled${which}.`;
}

/** What came back, and where to play instead if there were too few players. */
export async function describeCalledOff(
  { db, now }: App,
  game: GameDetails,
  ids: { gameId: string; playerId: string },
  isIn: boolean,
) {
  const cents = await sumRefundsOf(db, ids);
  const cash = await describePendingCash(db, ids);
  const back = [
    isIn && (await isRefundPending(db, ids.gameId)) && REFUND_PENDING,
    cents > 0 && `${creditsCount(cents)} are back in your wallet.`,
    ...cash.values(),
    (await heldUntilCancelled(db, ids)) && HELD_TOO,
  ];
  const hadTooFew = game.decision === "CalledOff" && !hasStarted(game, now());
  return {
    creditsBack: back.filter(Boolean).join(" ") || null,
    otherGames: hadTooFew ? await listOtherGames(db, { ...ids, now: now() }) : [],
  };
}

/** Some of many games that were cancelled together are refunded a little later. */
const REFUND_PENDING = "What you paid or used comes back shortly, with an email.";
const HELD_TOO = "The spot you held for a friend is over too, and its link says so.";
