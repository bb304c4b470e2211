import { type RawBuilder, sql } from "kysely";
import { isHoldOver, isInWith, isPaymentHoldOver } from "#app/features/games/held-spots.server.ts";
import { lapsePaymentHolds } from "#app/features/wallet/payment-holds.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { HoldStatus } from "#app/platform/schema.ts";

/** The status of a `hold` as it is now, also before the sweep has ended it. */
export const holdStatus = (now: Date): RawBuilder<HoldStatus> => sql<HoldStatus>`
  case when hold.status = 'Held' and ${isHoldOver(now)} then 'Lapsed' else hold.status end`;

/** SQL for a `hold`: who took it, also by another booking if they left and joined again. */
export const TAKER = sql<string | null>`(
  select taken.user_id from bookings taken where taken.id = hold.booking_id)`;

export const TAKER_IS_IN = isInWith(TAKER);

/** SQL for a `hold`: nobody took it, or the friend who did has left again. */
export const isUntaken = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${holdStatus(now)} in ('Lapsed', 'GivenBack') or (hold.status = 'Taken' and not ${TAKER_IS_IN}))`;

/** Under the game's lock, and no wallet's after it; the caller passes the spots on. Returns how many
 * have ended. */
export async function lapseHolds(tx: Tx, game: { gameId: string; now: Date }): Promise<number> {
  const { gameId, now } = game;
  const { rows } = await sql`
    update friend_holds hold set status = 'Lapsed', ended_at = ${now}
    from games, users
    where games.id = hold.game_id and users.id = hold.user_id
      and hold.game_id = ${gameId} and hold.status = 'Held' and ${isHoldOver(now)}
    returning hold.id`.execute(tx);
  return rows.length + (await lapsePaymentHolds(tx, game));
}

export async function endHoldsOf(
  tx: Tx,
  { bookingIds, now }: { bookingIds: string[]; now: Date },
): Promise<void> {
  await sql`
    update friend_holds hold set status = 'Lapsed', ended_at = ${now}
    from bookings where bookings.id = any(${bookingIds}::uuid[]) and hold.status = 'Held'
      and hold.game_id = bookings.game_id and hold.user_id = bookings.user_id`.execute(tx);
}

export async function listGamesWithHoldsOver(db: Db, now: Date): Promise<string[]> {
  // Row by row, from those that are live: a join would read all games that ever were.
  const its = sql`
    cross join lateral (select * from games where games.id = hold.game_id limit 1) games
    cross join lateral (select * from users where users.id = hold.user_id limit 1) users`;
  const { rows } = await sql<{ gameId: string }>`
    select hold.game_id as "gameId" from friend_holds hold ${its}
    where hold.status = 'Held' and ${isHoldOver(now)}
    union
    select hold.game_id from payment_holds hold ${its}
    where hold.status = 'Held' and hold.holds_spot and ${isPaymentHoldOver(now)}`.execute(db);
  return rows.map(({ gameId }) => gameId);
}
