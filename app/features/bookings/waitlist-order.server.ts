import { type RawBuilder, sql } from "kysely";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";
import { freeSessionIsUsed } from "./bookings.server.ts";
import { mayOffer, type Obstacle } from "./waitlist-rules.ts";

/** First come, first served; who has let an offer pass is behind those who were not asked yet. */
export const WAITLIST_ORDER = sql`missed_offers, entry.created_at, entry.id`;

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

type Game = Pick<LockedGame, "id" | "startsAt" | "endsAt" | "isFirstSessionFree">;

/**
 * The one rule of who gets a spot that is free: everybody who waits, in order. Read it under the
 * game's lock, and again for a player whose wallet is locked.
 */
export async function listWaiting(
  db: Db | Tx,
  game: Game,
  { now, userId = null }: { now: Date; userId?: string | null },
): Promise<Waiting[]> {
  const price = priceOf(game);
  const { rows } = await sql<Waiting>`
    select entry.id, entry.user_id as "userId", mode, not_after as "notAfter",
      passed_over as "passedOver", ${inCents(price)} as "priceCents",
      case
        when suspended_at is not null then 'suspended'
        when needs_consent or ${price} > max_price_eur then 'consent'
        when ${playsMeanwhile(sql.ref("entry.user_id"), game)} then 'busy'
        when wallet_debt_eur > 0 then 'debt'
        when wallet_balance_eur < ${price} then 'credits'
        when mode = 'ask' and not ${mayOffer(game.startsAt, now)} then 'night'
      end as obstacle
    from waitlist_entries entry
    join profiles on profiles.user_id = entry.user_id
    join users on users.id = entry.user_id
    where game_id = ${game.id} and entry.status = 'Waiting' and not_after > ${now}
      and not exists (select from bookings where bookings.game_id = ${game.id}
        and bookings.user_id = entry.user_id and payment_status in ('Paid', 'Unpaid'))
      and (${userId}::uuid is null or entry.user_id = ${userId})
    order by ${WAITLIST_ORDER}`.execute(db);
  return rows;
}

/** Whether the free spots of this game belong to somebody else, who waits for one. */
export async function belongsToWaitlist(db: Db | Tx, game: Game, playerId: string, now: Date) {
  const waiting = await listWaiting(db, game, { now });
  const first = waiting.find(({ obstacle }) => !obstacle);
  return first !== undefined && first.userId !== playerId;
}

/** A player's price in this game, as `priceCents` of features/games/rules.ts. */
function priceOf({ isFirstSessionFree }: Game): RawBuilder<string> {
  const full = sql<string>`${numericFromCents(GAME_PRICE_CENTS)}::numeric`;
  if (!isFirstSessionFree) return full;
  return sql`case when ${freeSessionIsUsed(sql.ref("entry.user_id"))} then ${full} else 0 end`;
}

/** Another game that a player is in at that time; the first to kick off. */
export async function findOtherGame(tx: Tx, game: Game, playerId: string) {
  const other = await tx
    .selectFrom("bookings as other")
    .innerJoin("games", "games.id", "other.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["venues.name as venueName", "games.date"])
    .select(["games.start_time as startTime", "games.end_time as endTime"])
    .where(isMeanwhile(sql.val(playerId), game))
    .orderBy("games.starts_at")
    .executeTakeFirst();
  return other ?? null;
}

export type OtherGame = NonNullable<Awaited<ReturnType<typeof findOtherGame>>>;

/** Whether a player is in another game at that time. */
export function playsMeanwhile(
  player: RawBuilder<unknown>,
  game: Pick<Game, "id" | "startsAt" | "endsAt">,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from bookings other join games on games.id = other.game_id
    where ${isMeanwhile(player, game)})`;
}

function isMeanwhile(
  player: RawBuilder<unknown>,
  { id, startsAt, endsAt }: Pick<Game, "id" | "startsAt" | "endsAt">,
): RawBuilder<boolean> {
  return sql<boolean>`other.user_id = ${player} and other.payment_status in ('Paid', 'Unpaid')
    and games.status = 'Published' and games.id <> ${id}
    and games.starts_at < ${endsAt} and games.ends_at > ${startsAt}`;
}
