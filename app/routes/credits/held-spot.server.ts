import { gamePath } from "#app/features/friends/rules.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { clockTime, spotsLeft } from "#app/features/games/rules.ts";
import { findHeldGameId, findPaymentHold } from "#app/features/wallet/payment-holds.server.ts";
import { monthDay, timeText, upperWeekday } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

/** Until when a spot is held, in words and to count down. */
export const heldView = (until: Date, now: Date) => ({
  until: timeText(until, now),
  leftSeconds: Math.ceil((until.getTime() - now.getTime()) / 1_000),
});

/** The game in which a spot is held while its player pays, from wherever that is looked at; null
 * once it is paid, as the booking follows. */
export async function findSpotInPayment({ db, now }: Pick<App, "db" | "now">, userId: string) {
  const instant = now();
  const gameId = await findHeldGameId(db, userId);
  const hold = gameId && (await findPaymentHold(db, { gameId, userId, now: instant }));
  if (!hold || !hold.holdsSpot || hold.isPaid) return null;
  const game = await findGame(db, gameId!, instant);
  if (!game) return null;
  const { id, venue, date, startTime, endTime, revision } = game;
  return {
    ...{ gameId: id, path: gamePath(id, null), venueName: venue.name, date, revision },
    ...{ weekday: upperWeekday(date), monthDay: monthDay(date) },
    ...{ start: clockTime(startTime), end: clockTime(endTime) },
    spots: spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
    joined: game.joinedCount,
    isPending: hold.isPending,
    ...heldView(hold.until, instant),
  };
}

export type SpotInPayment = NonNullable<Awaited<ReturnType<typeof findSpotInPayment>>>;
