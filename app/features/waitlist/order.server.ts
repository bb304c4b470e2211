import { type RawBuilder, sql } from "kysely";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { pendingDecision } from "#app/features/games/minimum-rules.ts";
import { clockTime, GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { monthDay } from "#app/platform/clock.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";
import { mayOffer, type Obstacle, UNANSWERED_MAX } from "./rules.ts";
import { freeSessionIsUsed } from "#app/features/seats/free-session.server.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

/** First come, first served; who has let an offer pass is behind those who never did. */
export const WAITLIST_ORDER = sql`missed_offers, entry.created_at, entry.id`;

/** SQL for an `entry`: offers went unanswered, so it needs a new consent; nothing was changed. */
export const IS_UNANSWERED = sql<boolean>`
  (needs_consent and unanswered_offers >= ${UNANSWERED_MAX})`;

export interface Waiting {
  id: string;
  userId: string;
  mode: WaitMode;
  notAfter: Date;
  priceCents: number;
  passedOver: PassedOver | null;
  /** Null for who is eligible: a free spot belongs to the first of those. */
  obstacle: Obstacle | null;
}

type Game = Pick<
  LockedGame,
  "id" | "startsAt" | "endsAt" | "isFirstSessionFree" | "minPlayers" | "decidesAt" | "decision"
>;

/** Whether it is decided now who plays: nobody can be asked and answer before that. */
export function isDecisionDue(game: Game, now: Date): boolean {
  const decidesAt = pendingDecision(game);
  return decidesAt !== null && decidesAt <= now;
}

/** The one rule of who gets a free spot: everybody who waits, in order. Read it under the game's
 * lock, and again for a player whose wallet is locked. */
export async function listWaiting(
  db: Db | Tx,
  game: Game,
  { now, userId = null }: { now: Date; userId?: string | null },
): Promise<Waiting[]> {
  const price = priceOf(sql.ref("entry.user_id"), sql`${game.isFirstSessionFree}::boolean`);
  const { rows } = await sql<Waiting>`
    select entry.id, entry.user_id as "userId", mode, not_after as "notAfter",
      passed_over as "passedOver", ${inCents(price)} as "priceCents",
      case
        when suspended_at is not null then 'suspended'
        when ${IS_UNANSWERED} then 'unanswered'
        when needs_consent or ${price} > max_price_eur then 'consent'
        when ${playsMeanwhile(sql.ref("entry.user_id"), game)} then 'busy'
        when wallet_debt_eur > 0 then 'debt'
        when wallet_balance_eur < ${price} then 'credits'
        when held.is_meanwhile or wallet_balance_eur < ${priceWithHeld(game)} then 'offer'
        when mode = 'ask' and ${isDecisionDue(game, now)} then 'decision'
        when mode = 'ask' and not ${mayOffer(game.startsAt, now)} then 'night'
      end as obstacle
    from waitlist_entries entry
    join profiles on profiles.user_id = entry.user_id
    join users on users.id = entry.user_id
    cross join lateral (${heldElsewhere(game, now)}) held
    where game_id = ${game.id} and entry.status = 'Waiting' and not_after > ${now}
      and not exists (select from bookings where bookings.game_id = ${game.id}
        and bookings.user_id = entry.user_id and ${IS_LIVE})
      and (${userId}::uuid is null or entry.user_id = ${userId})
    order by ${WAITLIST_ORDER}`.execute(db);
  return rows;
}

/** Spots that are offered to this player, or paid by and about to be booked, in other games. */
function heldElsewhere({ id, startsAt, endsAt }: Times, now: Date) {
  return sql`select count(*) as offers,
      coalesce(bool_or(is_first_session_free), false) as has_free,
      coalesce(bool_or(own.starts_at < ${endsAt} and own.ends_at > ${startsAt}), false)
        as is_meanwhile
    from (
      select game_id from waitlist_entries other where other.user_id = entry.user_id
        and other.status = 'Offered' and other.offer_expires_at > ${now}
      union
      select game_id from payment_holds hold where hold.user_id = entry.user_id
        and hold.status in ('Held', 'Lapsed') and hold.paid_at is not null
    ) other join games as own on own.id = other.game_id
    where other.game_id <> ${id} and own.status = 'Published'`;
}

/** SQL for an `entry` and what is `held`: the price of all of it; one may be free. */
function priceWithHeld({ isFirstSessionFree }: Game) {
  const full = sql`${numericFromCents(GAME_PRICE_CENTS)}::numeric`;
  const hasFree = sql`(has_free or ${isFirstSessionFree}::boolean)`;
  return sql`case when offers = 0 then 0
    when ${hasFree} and not ${freeSessionIsUsed(sql.ref("entry.user_id"))} then ${full} * offers
    else ${full} * (offers + 1) end`;
}

export async function belongsToWaitlist(db: Db | Tx, game: Game, playerId: string, now: Date) {
  return (await findNextWaiting(db, game, playerId, now)) !== null;
}

/** To whom a free spot belongs; null for nobody, or for this player. */
export async function findNextWaiting(db: Db | Tx, game: Game, playerId: string, now: Date) {
  const waiting = await listWaiting(db, game, { now });
  const first = waiting.find(({ obstacle }) => !obstacle);
  return first && first.userId !== playerId ? first.userId : null;
}

export function priceOf(
  player: RawBuilder<unknown>,
  isFirstSessionFree: RawBuilder<unknown>,
): RawBuilder<string> {
  const full = sql`${numericFromCents(GAME_PRICE_CENTS)}::numeric`;
  return sql`case when ${isFirstSessionFree} and not ${freeSessionIsUsed(player)}
    then 0 else ${full} end`;
}

/** SQL for an `entry`: more than was agreed to, since the free session was used elsewhere. */
export const COSTS_MORE = sql<boolean>`(entry.status = 'Waiting' and not needs_consent
  and max_price_eur < ${priceOf(sql.ref("entry.user_id"), sql.ref("is_first_session_free"))})`;

/** SQL: the player's other games at that hour, by kick-off. Who was asked and went on may be in several. */
export function overlappingGames(gameId: string, playerId: string) {
  const times = {
    id: gameId,
    startsAt: sql.ref("game.starts_at"),
    endsAt: sql.ref("game.ends_at"),
  };
  return sql<OverlappingGame[] | null>`(
    select json_agg(list) from (
      select own.id, venues.name as "venueName", own.date, own.start_time as "startTime",
        own.end_time as "endTime"
      from games game, bookings other join games own on own.id = other.game_id
        join venues on venues.id = own.venue_id
      where game.id = ${gameId} and ${isMeanwhile(sql.val(playerId), times)}
      order by own.starts_at, own.id limit ${sql.lit(MOST_AT_ONCE)}
    ) list)`;
}

const MOST_AT_ONCE = 10;

export type OverlappingGame = Record<"id" | "venueName" | "date" | "startTime" | "endTime", string>;

export function otherGamesText(games: OverlappingGame[]): string {
  const others = games.map(({ venueName, date, startTime, endTime }) => {
    return `${venueName}, ${monthDay(date)}, ${clockTime(startTime)} – ${clockTime(endTime)}`;
  });
  const which = others.length > 1 ? "other games" : "another game";
  return `You are in ${which} at that time: ${others.join("; ")}.`;
}

type Times = Record<"id" | "startsAt" | "endsAt", unknown>;

export function playsMeanwhile(player: RawBuilder<unknown>, game: Times): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from bookings other join games as own on own.id = other.game_id
    where ${isMeanwhile(player, game)})`;
}

function isMeanwhile(player: RawBuilder<unknown>, { id, startsAt, endsAt }: Times) {
  return sql<boolean>`other.user_id = ${player} and ${IS_LIVE}
    and own.status = 'Published' and own.id <> ${id}
    and own.starts_at < ${endsAt} and own.ends_at > ${startsAt}`;
}
