import type { findOwnBookings } from "#app/features/bookings/bookings.server.ts";
import { bookingState } from "#app/features/bookings/participation.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { gameState } from "#app/features/games/rules.ts";
import { CANCELLATION_POLICY, ownPolicy } from "#app/features/seats/rules.ts";
import { toCancelView } from "#app/routes/own-spot/cancel-view.ts";

type OwnBookings = Awaited<ReturnType<typeof findOwnBookings>>;

/** The policy for this viewer and, in a game to come, the booking as its player may cancel it. */
export function toOwnTerms({ isIn, bookingId, sold }: OwnBookings, game: GameDetails, now: Date) {
  if (!sold) return { policy: CANCELLATION_POLICY, spot: null };
  const policy = ownPolicy(sold, game.startsAt, now);
  const mayCancel = bookingId && bookingState({ ...gameState(game, now), isIn }) === "in";
  if (!mayCancel) return { policy, spot: null };
  return {
    policy,
    spot: { id: bookingId, ...toCancelView(sold, { game, now, waiting: game.waiting }) },
  };
}
