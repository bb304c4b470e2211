import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { countWaitingMails } from "#app/platform/waiting-mails.server.ts";
import { COUNTS, QUEUES } from "./progress.server.ts";
import { allowance, type AnnouncementKind, isNewsWaiting, TICK_MS } from "./rules.ts";

/** One process at a time decides how many more are queued. */
const LOCK = 7_102_072;
const MINUTE_MS = 60_000;

interface Pace {
  perMinute: number;
  sendsAtNight: boolean;
}

/**
 * Queues the next emails of what is being announced, the oldest announcement first, as many as
 * `perMinute` allows; news waits for the morning. What is queued in one transaction is marked in it: nobody is queued twice.
 */
export async function queueAnnouncements(db: Db, jobs: Jobs, pace: Pace, now: Date) {
  const isDue = isNewsWaiting(now, pace) ? NO_NEWS : sql<boolean>`true`;
  if (!(await isAnythingWaiting(db, isDue))) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`.execute(tx);
    if (!rows[0]!.isMine) return;
    const most = await findAllowance(tx, pace.perMinute, now);
    if (most === 0) return;
    const next = Map.groupBy(await markNext(tx, { isDue, most, now }), ({ kind }) => kind);
    for (const [kind, emails] of next) {
      const data = emails.map(({ announcementId, userId }) => ({ announcementId, userId }));
      await jobs.enqueueEmails(tx, kind, data);
    }
  });
}

const IS_WAITING = sql<boolean>`queued_at is null and announcement.stopped_at is null
  and announcement.closed_at is null`;

const NO_NEWS = sql<boolean>`kind <> 'news'`;

async function isAnythingWaiting(db: Db, isDue: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql`
    select from announcement_recipients waiting
    join announcements announcement on announcement.id = announcement_id
    where ${IS_WAITING} and ${isDue} limit 1`.execute(db);
  return rows.length > 0;
}

async function findAllowance(tx: Tx, perMinute: number, now: Date): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  // The next tick may come a little early.
  const { rows } = await sql<{ lastMinute: number; lastTick: number }>`
    select count(*)::int as "lastMinute",
      count(*) filter (where queued_at > ${ago(0.8 * TICK_MS)})::int as "lastTick"
    from announcement_recipients where queued_at > ${ago(MINUTE_MS)}`.execute(tx);
  const waiting = await countWaitingMails(tx, QUEUES);
  return allowance({ perMinute, waiting, ...rows[0]! });
}

interface Next {
  kind: AnnouncementKind;
  announcementId: string;
  userId: string;
}

interface Marking {
  isDue: RawBuilder<boolean>;
  most: number;
  now: Date;
}

async function markNext(tx: Tx, { isDue, most, now }: Marking): Promise<Next[]> {
  const { rows } = await sql<Next>`
    with next as (
      select waiting.id, kind from announcement_recipients waiting
      join announcements announcement on announcement.id = announcement_id
      where ${IS_WAITING} and ${isDue}
      order by announcement.created_at, announcement.id, waiting.id
      limit ${most} for update of waiting skip locked)
    update announcement_recipients recipient set queued_at = ${now}
    from next where recipient.id = next.id
    returning kind, announcement_id as "announcementId", user_id as "userId"`.execute(tx);
  return rows;
}

/** Recipients are kept as long as the list of notifications that were sent. */
const KEPT_DAYS = 60;

/** Deletes to whom an announcement of long ago was sent, and keeps the numbers. */
export async function closeAnnouncements(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update announcements set closed_at = ${now}, sent = counts.sent,
        unsure = counts.unsure, undelivered = counts.undelivered
      from (select announcement.id as of, counts.* from announcements announcement
        cross join lateral (${COUNTS}) counts
        where created_at < ${before} and closed_at is null) counts
      where id = counts.of returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await sql`delete from announcement_recipients
      where announcement_id = any(${ids}::uuid[])`.execute(tx);
  });
}
