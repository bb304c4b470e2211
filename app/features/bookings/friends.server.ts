import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { HoldStatus } from "#app/platform/schema.ts";
import { isHoldToken } from "./friend-rules.ts";
import { HELD_UNTIL, holdStatus } from "./hold-ends.server.ts";

export interface HeldSpot {
  status: HoldStatus;
  until: Date;
  holderId: string;
  /** The first name, for anyone who has the link. */
  holderName: string;
}

/** The spot of a link; null for a token that this game never had. */
export async function findHeldSpot(
  db: Db,
  { gameId, token, now }: { gameId: string; token: string; now: Date },
): Promise<HeldSpot | null> {
  if (!isId(gameId) || !isHoldToken(token)) return null;
  const { rows } = await sql<HeldSpot>`
    select ${holdStatus(now)} as status, ${HELD_UNTIL} as until, hold.user_id as "holderId",
      first_name as "holderName"
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    join profiles on profiles.user_id = hold.user_id
    where token = ${token} and hold.game_id = ${gameId}`.execute(db);
  return rows[0] ?? null;
}

export interface OwnHold {
  token: string;
  status: HoldStatus;
  /** When it ends, or ended. */
  until: Date;
  /** The friend's first name, as long as they are in. */
  friend: string | null;
}

export interface Friends {
  /** The spots that this player holds, or held, in their order. */
  holds: OwnHold[];
  /** The first name of who brought this player. */
  host: string | null;
}

/** Who a player in a game brought along, or wants to, and who brought them. One query. */
export async function findFriends(
  db: Db,
  { gameId, playerId, now }: { gameId: string; playerId: string; now: Date },
): Promise<Friends> {
  const { rows } = await sql<OwnHold & { isOwn: boolean; host: string }>`
    select token, ${holdStatus(now)} as status, coalesce(ended_at, ${HELD_UNTIL}) as until,
      hold.user_id = ${playerId} as "isOwn",
      (select first_name from profiles where profiles.user_id = hold.user_id) as host,
      (select first_name from profiles where profiles.user_id = booking.user_id
        and payment_status in ('Paid', 'Unpaid')) as friend
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    left join bookings booking on booking.id = hold.booking_id
    where hold.game_id = ${gameId} and (hold.user_id = ${playerId}
      or booking.user_id = ${playerId} and payment_status in ('Paid', 'Unpaid'))
    order by hold.created_at, hold.id`.execute(db);
  return {
    holds: rows.filter(({ isOwn }) => isOwn),
    host: rows.find(({ isOwn }) => !isOwn)?.host ?? null,
  };
}

/** As SQL, of a booking: the first name of the player who brought them. */
export const cameWith = sql<string | null>`(
  select first_name from friend_holds hold join profiles host on host.user_id = hold.user_id
  where hold.booking_id = bookings.id and host.deleted_at is null)`;
