import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { HoldStatus } from "#app/platform/schema.ts";
import { HOLD_ENDS_MINUTES } from "./friend-rules.ts";

/** Of a `hold` and its game: until when the spot is held, also after the game was moved. */
export const HELD_UNTIL = sql<Date>`least(expires_at,
  games.starts_at - make_interval(mins => ${HOLD_ENDS_MINUTES}))`;

/**
 * The one rule of when a hold is over, of a `hold`, its game and its holder's user: its time, its game
 * or its holder. Whoever or whatever brought that about, the sweep then ends it.
 */
export const isHoldOver = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${HELD_UNTIL} <= ${now} or games.status <> 'Published' or users.suspended_at is not null
  or not exists (select from bookings where bookings.game_id = hold.game_id
    and bookings.user_id = hold.user_id and payment_status in ('Paid', 'Unpaid')))`;

/** The status of a `hold` as it is now, also before the sweep has ended it. */
export const holdStatus = (now: Date): RawBuilder<HoldStatus> => sql<HoldStatus>`
  case when hold.status = 'Held' and ${isHoldOver(now)} then 'Lapsed' else hold.status end`;

/** As SQL: spots of a game that are counted as held, and are free. */
export const countHoldsOver = (gameId: string, now: Date): RawBuilder<number> => sql<number>`(
  select count(*)::integer from friend_holds hold
  join games on games.id = hold.game_id join users on users.id = hold.user_id
  where hold.game_id = ${gameId} and hold.status = 'Held' and ${isHoldOver(now)})`;

/** Under the game's lock: how many spots are free again. Anyone who calls it gives them on. */
export async function lapseHolds(
  tx: Tx,
  { gameId, now }: { gameId: string; now: Date },
): Promise<number> {
  const { rows } = await sql`
    update friend_holds hold set status = 'Lapsed', ended_at = ${now}
    from games, users
    where games.id = hold.game_id and users.id = hold.user_id
      and hold.game_id = ${gameId} and hold.status = 'Held' and ${isHoldOver(now)}
    returning hold.id`.execute(tx);
  return rows.length;
}

/** With the booking of its holder, under the game's lock. */
export async function endHoldOf(
  tx: Tx,
  { bookingId, now }: { bookingId: string; now: Date },
): Promise<void> {
  await sql`
    update friend_holds hold set status = 'Lapsed', ended_at = ${now}
    from bookings where bookings.id = ${bookingId} and hold.status = 'Held'
      and hold.game_id = bookings.game_id and hold.user_id = bookings.user_id`.execute(tx);
}

export async function listGamesWithHoldsOver(db: Db, now: Date): Promise<string[]> {
  // Row by row, from those that are live: a join would read all games that ever were.
  const { rows } = await sql<{ gameId: string }>`
    select distinct hold.game_id as "gameId"
    from friend_holds hold
    cross join lateral (select * from games where games.id = hold.game_id limit 1) games
    cross join lateral (select * from users where users.id = hold.user_id limit 1) users
    where hold.status = 'Held' and ${isHoldOver(now)}`.execute(db);
  return rows.map(({ gameId }) => gameId);
}
