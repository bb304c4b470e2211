import { sql } from "kysely";
import { REVISION } from "#app/features/games/live-games.server.ts";
import { type Db, inCents, type Tx, isOneOf } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { WaitEndReason, WaitMode } from "#app/platform/schema.ts";
import { IS_UNANSWERED, priceOf, WAITLIST_ORDER } from "./order.server.ts";
import { OFFER_COUNTS_MINUTES, UNANSWERED_MAX, type UntilHours } from "./rules.ts";

export interface OwnEntry {
  entryId: string;
  gameId: string;
  mode: WaitMode;
  isOffered: boolean;
  offerExpiresAt: Date | null;
  notAfter: Date;
  needsConsent: boolean;
  isUnanswered: boolean;
  untilHours: UntilHours;
  costsMore: boolean;
  agreedCents: number;
  position: number;
  waiting: number;
  revision: string;
  venueName: string;
  city: string;
  date: string;
  startTime: string;
  endTime: string;
}

export async function listOwnEntries(
  db: Db,
  { playerId, now, gameId = null }: { playerId: string; now: Date; gameId?: string | null },
): Promise<OwnEntry[]> {
  const price = priceOf(sql.val(playerId), sql.ref("is_first_session_free"));
  const costsMore = sql`(placed.status = 'Waiting' and max_price_eur < ${price})`;
  const { rows } = await sql<OwnEntry>`
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
      (needs_consent or ${costsMore}) as "needsConsent", ${costsMore} as "costsMore",
      ${IS_UNANSWERED} as "isUnanswered", until_hours as "untilHours",
      ${inCents("max_price_eur")} as "agreedCents",
      position::integer, waiting::integer, ${REVISION} as revision,
      venues.name as "venueName", venues.city,
      games.date, start_time as "startTime", end_time as "endTime"
    from placed join games on games.id = game_id join venues on venues.id = venue_id
    where user_id = ${playerId} order by starts_at, placed.id`.execute(db);
  return rows;
}

/** Under the game's lock. */
export async function findLiveEntry(
  tx: Tx,
  { gameId, playerId }: { gameId: string; playerId: string },
) {
  const entry = await tx
    .selectFrom("waitlist_entries")
    .select(["id", sql<boolean>`status = 'Offered'`.as("isOffered")])
    .where("game_id", "=", gameId)
    .where("user_id", "=", playerId)
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirst();
  return entry ?? null;
}

export async function hasWaited(
  db: Db,
  { gameId, playerId }: { gameId: string; playerId: string },
): Promise<boolean> {
  const entry = await db
    .selectFrom("waitlist_entries")
    .select("id")
    .where("game_id", "=", gameId)
    .where("user_id", "=", playerId)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

export async function countWaiting(db: Db | Tx, gameId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom("waitlist_entries")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("game_id", "=", gameId)
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirstOrThrow();
  return waiting;
}

/** The place stays, but what was agreed to no longer holds: each is emailed, an offer withdrawn. */
export async function askForConsentAgain(
  tx: Tx,
  jobs: Jobs,
  gameId: string,
  where = sql<boolean>`true`,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update waitlist_entries entry
    set needs_consent = true, unanswered_offers = 0, status = 'Waiting', offer_expires_at = null,
      game_starts_at = starts_at, game_ends_at = ends_at, game_venue_id = venue_id,
      not_after = starts_at - make_interval(hours => until_hours)
    from games where games.id = game_id and game_id = ${gameId}
      and entry.status in ('Waiting', 'Offered') and ${where}
    returning entry.id`.execute(tx);
  const mails = rows.map(({ id }) => ({ entryId: id }));
  await jobs.enqueueEmails(tx, "waitlist-changed", mails);
}

/** SQL for an `entry` and its game: moved by SQL, since `editGame` asks by itself. */
export const HAS_MOVED = sql<boolean>`
  (game_starts_at, game_ends_at, game_venue_id) <> (starts_at, ends_at, venue_id)`;

export function listEntriesOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("waitlist_entries")
    .select(["id as entryId", "game_id as gameId"])
    .where("user_id", "=", userId)
    .where("status", "in", ["Waiting", "Offered"])
    .execute();
}

interface EntryEnd {
  status: "Left" | "Lapsed";
  reason: WaitEndReason;
  now: Date;
}

const ONE_MORE_MISSED = sql<number>`greatest(missed_offers, 0) + 1`;

/** Under the locks of all their games; spots that were held for them are free. */
export async function endEntries(
  tx: Tx,
  ids: string[],
  { status, reason, now }: EntryEnd,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("waitlist_entries")
    .set({ status, end_reason: reason, offer_expires_at: null, ended_at: now })
    // A player who declines an offer and waits again is behind those who were not asked yet.
    .$if(status === "Left", (update) =>
      update.set({
        missed_offers: sql`case status when 'Offered' then ${ONE_MORE_MISSED} else missed_offers end`,
      }),
    )
    .where(isOneOf("id", ids))
    .where("status", "in", ["Waiting", "Offered"])
    .execute();
}

interface Ending {
  gameId: string;
  reason: WaitEndReason;
  now: Date;
}

/** Ends the whole list, because there is nothing left to wait for; each is notified once. */
export async function endWaitlist(tx: Tx, jobs: Jobs, { gameId, reason, now }: Ending) {
  const ended = await tx
    .updateTable("waitlist_entries")
    .set({ status: "Lapsed", end_reason: reason, offer_expires_at: null, ended_at: now })
    .where("game_id", "=", gameId)
    .where("status", "in", ["Waiting", "Offered"])
    .returning("id")
    .execute();
  const mails = ended.map(({ id }) => ({ entryId: id }));
  await jobs.enqueueEmails(tx, "waitlist-ended", mails);
}

interface Lapse {
  gameId: string;
  areOffersOver: boolean;
  now: Date;
}

export async function lapseByTime(
  tx: Tx,
  jobs: Jobs,
  { gameId, areOffersOver, now }: Lapse,
): Promise<void> {
  const missed = await endOffers(tx, { gameId, areOffersOver, now });
  const lapsed = await tx
    .updateTable("waitlist_entries")
    .set({ status: "Lapsed", end_reason: "TimePassed", ended_at: now })
    .where("game_id", "=", gameId)
    .where("status", "=", "Waiting")
    .where("not_after", "<=", now)
    .returning("id")
    .execute();
  const over = new Set(lapsed.map(({ id }) => id));
  const toMail = (id: string) => ({ entryId: id });
  await jobs.enqueueEmails(tx, "waitlist-ended", [...over].map(toMail));
  const onlyMissed = missed.filter((id) => !over.has(id));
  await jobs.enqueueEmails(tx, "offer-missed", onlyMissed.map(toMail));
}

/** Offers that count as missed: not of suspended players, or without time to answer. */
async function endOffers(tx: Tx, { gameId, areOffersOver, now }: Lapse): Promise<string[]> {
  await sql`
    update waitlist_entries entry set status = 'Waiting', offer_expires_at = null
    where game_id = ${gameId} and entry.status = 'Offered' and ${IS_SUSPENDED}`.execute(tx);
  // Below zero: an organiser has put them before the others. With an offer that turn is over.
  const { rows } = await sql<{ id: string; isMissed: boolean }>`
    with ended as (
      select id, not ${areOffersOver} or coalesce(least(offer_expires_at, ${now}) - offered_at
        >= make_interval(mins => ${OFFER_COUNTS_MINUTES}), true) as is_missed
      from waitlist_entries
      where game_id = ${gameId} and status = 'Offered'
        and (${areOffersOver} or offer_expires_at <= ${now})
    )
    update waitlist_entries entry
    set status = 'Waiting', offer_expires_at = null,
      missed_offers = case when is_missed then ${ONE_MORE_MISSED} else missed_offers end,
      unanswered_offers = unanswered_offers + is_missed::integer,
      needs_consent = unanswered_offers + is_missed::integer >= ${UNANSWERED_MAX}
    from ended where ended.id = entry.id
    returning entry.id, is_missed as "isMissed"`.execute(tx);
  return rows.filter(({ isMissed }) => isMissed).map(({ id }) => id);
}

/** SQL for an `entry`: nothing is held for its player. */
export const IS_SUSPENDED = sql<boolean>`exists (
  select from users where users.id = entry.user_id and suspended_at is not null)`;
