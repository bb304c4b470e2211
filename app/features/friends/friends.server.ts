import { type RawBuilder, sql } from "kysely";
import { gameIdAt } from "#app/features/accounts/rules.ts";
import { nameGame } from "./invitations.server.ts";
import { timeText } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { HoldStatus } from "#app/platform/schema.ts";
import { holdTokenAt, isHoldToken } from "./rules.ts";
import {
  HELD_UNTIL,
  HOLDER_IS_IN,
  isHoldOver,
  isPaymentHoldOver,
  PAYMENT_HELD_UNTIL,
} from "#app/features/games/held-spots.server.ts";
import { holdStatus, isUntaken, TAKER, TAKER_IS_IN } from "#app/features/seats/hold-ends.server.ts";

export interface HeldSpot {
  status: HoldStatus;
  until: Date;
  holderId: string;
  /** The first name, for anyone who has the link. */
  holderName: string;
  takerId: string | null;
}

/** The spot of a link; null for a token that this game never had. */
export async function findHeldSpot(
  db: Db,
  { gameId, token, now }: { gameId: string; token: string; now: Date },
): Promise<HeldSpot | null> {
  if (!isId(gameId) || !isHoldToken(token)) return null;
  const { rows } = await sql<HeldSpot>`
    select ${holdStatus(now)} as status, least(ended_at, ${HELD_UNTIL}) as until, hold.user_id as "holderId",
      first_name as "holderName", ${TAKER} as "takerId"
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    join profiles on profiles.user_id = hold.user_id
    where token = ${token} and hold.game_id = ${gameId}`.execute(db);
  return rows[0] ?? null;
}

/** For an email: the game that its reader is on the way to, and until when a spot is held there. */
export async function nameInvitation(db: Db, path: string | null, now: Date) {
  const [game, gameId, token] = [await nameGame(db, path, now), gameIdAt(path), holdTokenAt(path)];
  const spot = game && gameId && token ? await findHeldSpot(db, { gameId, token, now }) : null;
  if (spot?.status !== "Held") return game;
  return `${game} (a spot is held for you until ${timeText(spot.until, now)})`;
}

export interface OwnHold {
  token: string;
  status: HoldStatus;
  until: Date;
  friendId: string | null;
  friend: string | null;
  isUntaken: boolean;
}

interface Host {
  name: string | null;
  isIn: boolean;
}

export interface Friends {
  holds: OwnHold[];
  host: Host | null;
}

const firstName = (player: RawBuilder<unknown>) => sql<string | null>`(
  select first_name from profiles named
  where named.user_id = ${player} and named.deleted_at is null)`;

const HOST_NAME = firstName(sql.ref("hold.user_id"));

export async function findFriends(
  db: Db,
  { gameId, playerId, now }: { gameId: string; playerId: string; now: Date },
): Promise<Friends> {
  const { rows } = await sql<OwnHold & { isOwn: boolean; host: string; hostIsIn: boolean }>`
    select token, ${holdStatus(now)} as status, least(ended_at, ${HELD_UNTIL}) as until,
      ${isUntaken(now)} as "isUntaken", hold.user_id = ${playerId} as "isOwn",
      ${HOST_NAME} as host, ${HOLDER_IS_IN} as "hostIsIn",
      ${TAKER} as "friendId", ${firstName(TAKER)} as friend
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and (hold.user_id = ${playerId}
      or ${TAKER} = ${playerId} and ${TAKER_IS_IN})
    order by hold.created_at, hold.id`.execute(db);
  const brought = rows.findLast(({ isOwn }) => !isOwn);
  return {
    holds: rows.filter(({ isOwn }) => isOwn),
    host: brought ? { name: brought.host, isIn: brought.hostIsIn } : null,
  };
}

/** Whether a player held a spot in a game until it was cancelled. */
export async function heldUntilCancelled(db: Db, ids: { gameId: string; playerId: string }) {
  const { rows } = await sql`
    select from friend_holds hold join bookings
      on bookings.game_id = hold.game_id and bookings.user_id = hold.user_id
    where hold.game_id = ${ids.gameId} and hold.user_id = ${ids.playerId}
      and hold.status = 'Lapsed' and bookings.end_reason = 'GameCancelled'
      and bookings.cancelled_at = hold.ended_at`.execute(db);
  return rows.length > 0;
}

const BROUGHT = sql`friend_holds hold
  where hold.game_id = bookings.game_id and ${TAKER} = bookings.user_id and ${HOLDER_IS_IN}
  order by hold.created_at desc, hold.id desc limit 1`;

/** SQL for a live booking: the first name of the player who brought them, and is in too. */
export const cameWith = sql<string | null>`(select ${HOST_NAME} from ${BROUGHT})`;

export const broughtBy = sql<string | null>`(select hold.user_id from ${BROUGHT})`;

export interface HeldSpots {
  offered: number;
  forFriends: { until: Date; host: string | null }[];
  /** Ends of those of players who are paying. */
  forPayers: Date[];
}

export const countHeld = ({ offered, forFriends, forPayers }: HeldSpots) =>
  offered + forFriends.length + forPayers.length;

export async function listHeldSpots(
  db: Db | Tx,
  { gameId, now }: { gameId: string; now: Date },
): Promise<HeldSpots> {
  const offers = db
    .selectFrom("waitlist_entries")
    .select(({ fn }) => fn.countAll<number>().as("offered"))
    .where("game_id", "=", gameId)
    .where("status", "=", "Offered");
  const { offered } = await offers.executeTakeFirstOrThrow();
  const { rows: forFriends } = await sql<HeldSpots["forFriends"][number]>`
    select ${HELD_UNTIL} as until, ${HOST_NAME} as host
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and hold.status = 'Held' and not ${isHoldOver(now)}
    order by until, hold.id`.execute(db);
  const { rows: paying } = await sql<{ until: Date }>`
    select ${PAYMENT_HELD_UNTIL} as until from payment_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and hold.status = 'Held' and holds_spot
      and not ${isPaymentHoldOver(now)}
    order by until, hold.id`.execute(db);
  return { offered, forFriends, forPayers: paying.map(({ until }) => until) };
}
