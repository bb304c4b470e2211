import { type RawBuilder, sql } from "kysely";
import { HOLD_ENDS_MINUTES } from "./rules.ts";

/** SQL for a query of `bookings`, by this name: holds a spot. */
export const isLive = (booking: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${booking}.payment_status`)} in ('Paid', 'Unpaid')`;

export const IS_LIVE = sql<boolean>`payment_status in ('Paid', 'Unpaid')`;

/** SQL for a `hold` and its game. Ends by the game's decision: a held spot that nobody took must
 * not call the game off. */
export const HELD_UNTIL = sql<Date>`least(expires_at,
  games.starts_at - make_interval(mins => ${HOLD_ENDS_MINUTES}),
  case when games.min_players is not null and games.decision is null then games.decides_at end)`;

/** In the game of a `hold`. */
export const isInWith = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from bookings own where own.game_id = hold.game_id
    and own.user_id = ${userId} and ${isLive("own")})`;

export const HOLDER_IS_IN = isInWith(sql.ref("hold.user_id"));

/** The one rule of when a hold is over, of a `hold`, its game and its holder's user: by its time,
 * its game or its holder. The sweep then stores the end, whatever the cause. */
export const isHoldOver = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${HELD_UNTIL} <= ${now} or games.status <> 'Published' or users.suspended_at is not null
  or not ${HOLDER_IS_IN})`;

/** SQL: spots of a game that are still counted as held, but are free. */
export const countHoldsOver = (gameId: string, now: Date): RawBuilder<number> => sql<number>`(
  select count(*)::integer from friend_holds hold
  join games on games.id = hold.game_id join users on users.id = hold.user_id
  where hold.game_id = ${gameId} and hold.status = 'Held' and ${isHoldOver(now)})`;

/** SQL for `games`: until when a player in it holds a spot for a friend. */
export const ownHoldUntil = (playerId: string, now: Date) => sql<Date | null>`(
  select ${HELD_UNTIL} from friend_holds hold join users on users.id = hold.user_id
  where hold.game_id = games.id and hold.user_id = ${playerId}
    and hold.status = 'Held' and not ${isHoldOver(now)})`;

/** SQL for `games`, to display: spots held now, without those the sweep has yet to end. Decisions
 * use `freeSpotsNow`, under the game's lock. */
export const heldNow = (now: Date): RawBuilder<number> => sql<number>`(
  case when games.spots_held = 0 then 0
    else games.spots_held - (select count(*)::integer from friend_holds hold
      join users on users.id = hold.user_id
      where hold.game_id = games.id and hold.status = 'Held' and ${isHoldOver(now)}) end)`;
