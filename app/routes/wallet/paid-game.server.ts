import { findParticipation } from "#app/features/bookings/bookings.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import {
  clockTime,
  hasStarted,
  priceCents,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { monthDay, shortWeekday } from "#app/platform/clock.ts";
import { creditsCount, creditsText, wholeCreditsCount } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";

interface Payer {
  userId: string;
  balanceCents: number;
}

/** The game that the credits were bought for, and whether this player can join it now. */
export async function loadPaidGame({ db, now }: App, gameId: string, payer: Payer) {
  const game = await findGame(db, gameId);
  if (game?.status !== "Published") return { state: "closed" as const };
  const player = await findParticipation(db, { gameId, playerId: payer.userId });
  const price = priceCents(game, player);
  return {
    state: stateOf(game, { ...payer, isIn: player.isIn, price, now: now() }),
    path: `/events/${game.id}`,
    venue: game.venue.name,
    when: whenText(game),
    badge: badgeOf(game),
    price: price === 0 ? "Free" : creditsCount(price),
    priceShown: creditsText(price),
    balanceAfter: `Balance after: ${wholeCreditsCount(payer.balanceCents - price)}`,
  };
}
export type PaidGame = Awaited<ReturnType<typeof loadPaidGame>>;
export type OpenGame = Exclude<PaidGame, { state: "closed" }>;

type Facts = Pick<Payer, "balanceCents"> & { isIn: boolean; price: number; now: Date };

function stateOf(game: GameDetails, facts: Facts): "in" | "started" | "full" | "short" | "open" {
  if (facts.isIn) return "in";
  if (hasStarted(game, facts.now)) return "started";
  if (spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0) return "full";
  return facts.balanceCents < facts.price ? "short" : "open";
}

function whenText({ date, startTime, endTime }: GameDetails): string {
  const times = `${clockTime(startTime)} – ${clockTime(endTime)}`;
  return `${shortWeekday(date)}, ${monthDay(date)} · ${times}`;
}

function badgeOf({ maxPlayers, joinedCount, heldCount }: GameDetails) {
  const spots = spotsLeft(maxPlayers, joinedCount, heldCount);
  return { text: spotsText(spots), tone: spotsTone(spots) };
}
