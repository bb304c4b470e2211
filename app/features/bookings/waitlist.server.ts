import { sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { WaitEndReason, WaitMode } from "#app/platform/schema.ts";
import { WAITLIST_ORDER } from "./waitlist-order.server.ts";

export interface OwnPlace {
  entryId: string;
  gameId: string;
  mode: WaitMode;
  isOffered: boolean;
  offerExpiresAt: Date | null;
  notAfter: Date;
  needsConsent: boolean;
  /** At most so much is taken. */
  agreedCents: number;
  /** From 1. */
  position: number;
  waiting: number;
  venueName: string;
  city: string;
  date: string;
  startTime: string;
  endTime: string;
}

/** Where a player stands on the lists of games to come, soonest first. */
export async function listOwnPlaces(
  db: Db,
  { playerId, now, gameId = null }: { playerId: string; now: Date; gameId?: string | null },
): Promise<OwnPlace[]> {
  const { rows } = await sql<OwnPlace>`
    with mine as (
      select game_id from waitlist_entries entry join games on games.id = game_id
      where entry.user_id = ${playerId} and entry.status in ('Waiting', 'Offered')
        and games.status = 'Published' and starts_at > ${now}
        and (${gameId}::uuid is null or game_id = ${gameId})
    ), placed as (
      select entry.*, row_number() over list as position,
        count(*) over (partition by game_id) as waiting
      from waitlist_entries entry
      where game_id in (select game_id from mine) and status in ('Waiting', 'Offered')
      window list as (partition by game_id order by ${WAITLIST_ORDER})
    )
    select placed.id as "entryId", game_id as "gameId", mode, placed.status = 'Offered' as "isOffered",
      offer_expires_at as "offerExpiresAt", not_after as "notAfter",
      needs_consent as "needsConsent", ${inCents("max_price_eur")} as "agreedCents",
      position::integer, waiting::integer, venues.name as "venueName", venues.city,
      games.date, start_time as "startTime", end_time as "endTime"
    from placed join games on games.id = game_id join venues on venues.id = venue_id
    where user_id = ${playerId} order by starts_at, placed.id`.execute(db);
  return rows;
}

/** Under the game's lock. */
export async function findLivePlace(
  tx: Tx,
  { gameId, playerId }: { gameId: string; playerId: string },
) {
  const place = await tx
    .selectFrom("waitlist_entries")
    .select(["id", sql<boolean>`status = 'Offered'`.as("isOffered")])
    .where("game_id", "=", gameId)
    .where("user_id", "=", playerId)
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirst();
  return place ?? null;
}

export async function countWaiting(db: Db, gameId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom("waitlist_entries")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("game_id", "=", gameId)
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirstOrThrow();
  return waiting;
}

/** The first who waits gets a spot that this transaction frees, as soon as it has committed. */
export async function spotFreed(tx: Tx, jobs: Jobs, gameId: string): Promise<void> {
  const waiting = tx.selectFrom("waitlist_entries").select("id").where("game_id", "=", gameId);
  const first = await waiting.where("status", "=", "Waiting").limit(1).executeTakeFirst();
  if (first) await jobs.enqueue(tx, "waitlist.promote", { gameId });
}

/**
 * The place on the list stays, and what was agreed to holds no more. An offer of the game as it was
 * is withdrawn.
 */
export async function askForConsentAgain(
  tx: Tx,
  jobs: Jobs,
  gameId: string,
  where = sql<boolean>`true`,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update waitlist_entries entry
    set needs_consent = true, status = 'Waiting', offer_expires_at = null,
      game_starts_at = starts_at, game_venue_id = venue_id,
      not_after = starts_at - make_interval(hours => until_hours)
    from games where games.id = game_id and game_id = ${gameId}
      and entry.status in ('Waiting', 'Offered') and ${where}
    returning entry.id`.execute(tx);
  for (const { id } of rows) await jobs.enqueue(tx, "mail.waitlist-changed", { entryId: id });
}

/** Of an `entry` and its game: moved by SQL, since `editGame` asks by itself. */
export const HAS_MOVED = sql<boolean>`(game_starts_at, game_venue_id) <> (starts_at, venue_id)`;

export function listPlacesOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("waitlist_entries")
    .select(["id as entryId", "game_id as gameId"])
    .where("user_id", "=", userId)
    .where("status", "in", ["Waiting", "Offered"])
    .execute();
}

interface PlaceEnd {
  entryId: string;
  gameId: string;
  status: "Left" | "Lapsed";
  reason: WaitEndReason;
  now: Date;
}

/** Under the game's lock; a spot that was held for it goes to the next. */
export async function endPlace(tx: Tx, jobs: Jobs, end: PlaceEnd): Promise<void> {
  await tx
    .updateTable("waitlist_entries")
    .set({ status: end.status, end_reason: end.reason, offer_expires_at: null, ended_at: end.now })
    .where("id", "=", end.entryId)
    .where("status", "in", ["Waiting", "Offered"])
    .execute();
  await spotFreed(tx, jobs, end.gameId);
}

interface Ending {
  gameId: string;
  reason: WaitEndReason;
  now: Date;
}

/** The whole list, because there is nothing to wait for; each is told once. */
export async function endWaitlist(tx: Tx, jobs: Jobs, { gameId, reason, now }: Ending) {
  const ended = await tx
    .updateTable("waitlist_entries")
    .set({ status: "Lapsed", end_reason: reason, offer_expires_at: null, ended_at: now })
    .where("game_id", "=", gameId)
    .where("status", "in", ["Waiting", "Offered"])
    .returning("id")
    .execute();
  for (const { id } of ended) await jobs.enqueue(tx, "mail.waitlist-ended", { entryId: id });
}

/** Places whose latest time has come, and offers that nobody has taken: how many spots are free again. */
export async function lapseByTime(
  tx: Tx,
  jobs: Jobs,
  { gameId, now }: Omit<Ending, "reason">,
): Promise<number> {
  const { rows: missed } = await sql<{ id: string }>`
    update waitlist_entries
    set status = 'Waiting', offer_expires_at = null, missed_offers = missed_offers + 1
    where game_id = ${gameId} and status = 'Offered' and offer_expires_at <= ${now}
    returning id`.execute(tx);
  const lapsed = await tx
    .updateTable("waitlist_entries")
    .set({ status: "Lapsed", end_reason: "TimePassed", ended_at: now })
    .where("game_id", "=", gameId)
    .where("status", "=", "Waiting")
    .where("not_after", "<=", now)
    .returning("id")
    .execute();
  const over = new Set(lapsed.map(({ id }) => id));
  for (const id of over) await jobs.enqueue(tx, "mail.waitlist-ended", { entryId: id });
  for (const { id } of missed) {
    if (!over.has(id)) await jobs.enqueue(tx, "mail.offer-missed", { entryId: id });
  }
  return missed.length;
}
