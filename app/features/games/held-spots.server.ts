import { type RawBuilder, sql } from "kysely";
import { HOLD_ENDS_MINUTES } from "./rules.ts";

/** SQL for a query of `bookings`, by this name: holds a spot. */
export const isLive = (booking: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${booking}.payment_status`)} in ('Paid', 'Unpaid')`;

export const IS_LIVE = sql<boolean>`payment_status in ('Paid', 'Unpaid')`;

/** A held spot that nobody took must not call the game off. */
const DECIDED_AT = sql`
  case when games.min_players is not null and games.decision is null then games.decides_at end`;

/** SQL for a `hold` for a friend and its game. */
export const HELD_UNTIL = sql<Date>`least(hold.expires_at,
  games.starts_at - make_interval(mins => ${HOLD_ENDS_MINUTES}), ${DECIDED_AT})`;

/** SQL for the `hold` of who pays, and its game. */
export const PAYMENT_HELD_UNTIL = sql<Date>`least(hold.expires_at, games.starts_at, ${DECIDED_AT})`;

/** In the game of a `hold`. */
export const isInWith = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from bookings own where own.game_id = hold.game_id
    and own.user_id = ${userId} and ${isLive("own")})`;

export const HOLDER_IS_IN = isInWith(sql.ref("hold.user_id"));

const IS_CLOSED = sql<boolean>`(games.status <> 'Published' or users.suspended_at is not null)`;

/** The one rule of when a hold is over, of a `hold`, its game and its holder's user: by its time,
 * its game or its holder. The sweep then stores the end, whatever the cause. */
export const isHoldOver = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${HELD_UNTIL} <= ${now} or ${IS_CLOSED} or not ${HOLDER_IS_IN})`;

/** The same of who pays to come in: once it is paid, its time is over no more. */
export const isPaymentHoldOver = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  (hold.paid_at is null and ${PAYMENT_HELD_UNTIL} <= ${now}) or ${IS_CLOSED} or ${HOLDER_IS_IN})`;

/** SQL for `games`: spots that are still counted as held, but are free. */
const holdsOver = (now: Date): RawBuilder<number> => sql<number>`(
  (select count(*)::integer from friend_holds hold join users on users.id = hold.user_id
    where hold.game_id = games.id and hold.status = 'Held' and ${isHoldOver(now)})
  + (select count(*)::integer from payment_holds hold join users on users.id = hold.user_id
    where hold.game_id = games.id and hold.status = 'Held' and hold.holds_spot
      and ${isPaymentHoldOver(now)}))`;

/** SQL: the same of the game of this id. */
export const countHoldsOver = (gameId: string, now: Date): RawBuilder<number> => sql<number>`(
  select ${holdsOver(now)} from games where games.id = ${gameId})`;

/** SQL for `games`: until when a player in it holds a spot for a friend. */
export const ownHoldUntil = (playerId: string, now: Date) => sql<Date | null>`(
  select ${HELD_UNTIL} from friend_holds hold join users on users.id = hold.user_id
  where hold.game_id = games.id and hold.user_id = ${playerId}
    and hold.status = 'Held' and not ${isHoldOver(now)})`;

/** SQL for `games`, to display: spots held now, without those the sweep has yet to end. Decisions
 * use `freeSpotsNow`, under the game's lock. */
export const heldNow = (now: Date): RawBuilder<number> => sql<number>`(
  case when games.spots_held = 0 then 0 else games.spots_held - ${holdsOver(now)} end)`;
