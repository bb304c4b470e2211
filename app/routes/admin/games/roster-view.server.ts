import { randomUUID } from "node:crypto";
import {
  listRoster,
  type RosterPlayer as StoredPlayer,
} from "#app/features/bookings/roster.server.ts";
import { canMark, takesPlace } from "#app/features/bookings/rules.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { clockTime, hasStarted, spotsLeft } from "#app/features/games/rules.ts";
import { findResult } from "#app/features/bookings/record-result.server.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { formatDay } from "./game-view.server.ts";

/** A game's roster for the organiser at the pitch; null where there is no such game. */
export async function loadRoster({ db, now }: App, gameId: string) {
  const game = await findGame(db, gameId);
  if (!game) return null;
  const [players, result] = await Promise.all([listRoster(db, game.id), findResult(db, game.id)]);
  const instant = now();
  const isOn = takesPlace(game);
  return {
    gameId: game.id,
    path: `/admin/games/${game.id}`,
    heading: `${game.title}, ${formatDay(game.date)}, ${clockTime(game.startTime)}`,
    place: `${game.venue.name}, ${game.venue.city}`,
    isOn,
    canMark: isOn && canMark(game, instant),
    canRecord: isOn && hasStarted(game, instant),
    spots: spotsLeft(game.maxPlayers, game.joinedCount),
    players: players.map(toPlayerView),
    result,
    // A form that is sent twice is one message.
    messageId: randomUUID(),
  };
}

export type Roster = NonNullable<Awaited<ReturnType<typeof loadRoster>>>;
export type RosterPlayer = Roster["players"][number];

function toPlayerView(stored: StoredPlayer) {
  const { firstName, lastName, position, priceCents, usesFreeSession, ...player } = stored;
  return {
    ...player,
    name: `${firstName} ${lastName}`,
    position: position && POSITIONS[position],
    /** What a removal with a refund gives back; null where there is nothing to give. */
    refund: describeRefund(player.paymentStatus === "Paid" ? priceCents : 0, usesFreeSession),
  };
}

function describeRefund(cents: number, usesFreeSession: boolean): string | null {
  if (cents > 0) return `Give ${creditsCount(cents)} back`;
  return usesFreeSession ? "Give the free session back" : null;
}
