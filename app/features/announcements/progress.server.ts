import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { AnnouncementKind } from "./rules.ts";

export const QUEUES = ["mail.news", "mail.important-announcement"];

/** SQL: the counts of an `announcement`. What was queued, and has neither ended nor a job, failed. */
export const COUNTS: RawBuilder<unknown> = sql`
  select sent, unsure, waiting, least(queued, jobs) as "underWay", greatest(queued - jobs, 0) as undelivered
  from (
    select count(*) filter (where outcome = 'sent')::int as sent,
      count(*) filter (where outcome = 'unsure')::int as unsure,
      count(*) filter (where queued_at is null)::int as waiting,
      count(*) filter (where queued_at is not null and outcome is null)::int as queued
    from announcement_recipients recipient where recipient.announcement_id = announcement.id
  ) recipients,
  lateral (
    select count(*)::int as jobs from pgboss.job
    where name in (${sql.join(QUEUES.map((queue) => sql.lit(queue)))}) and state < 'completed'
      and data ->> 'announcementId' = announcement.id::text
  ) queued`;

export interface Announcement {
  id: string;
  kind: AnnouncementKind;
  audience: "everybody" | "played" | "venue";
  days: number | null;
  venueName: string | null;
  subject: string;
  message: string;
  sentBy: string | null;
  createdAt: Date;
  stoppedAt: Date | null;
  closedAt: Date | null;
  recipients: number;
  /** Accepted by the mail server. */
  sent: number;
  /** News that the mail server may have accepted just before the worker was killed. */
  unsure: number;
  /** Not queued yet. */
  waiting: number;
  /** Queued or being sent. */
  underWay: number;
  /** The mail server has rejected it, or has not taken it for a day. */
  undelivered: number;
}

/** The newest first. */
export async function listAnnouncements(db: Db, limit: number): Promise<Announcement[]> {
  return read(db, sql`true order by announcement.created_at desc, announcement.id limit ${limit}`);
}

export async function findAnnouncement(db: Db, id: string): Promise<Announcement | null> {
  if (!isId(id)) return null;
  return (await read(db, sql`announcement.id = ${id}`))[0] ?? null;
}

async function read(db: Db, wanted: RawBuilder<unknown>): Promise<Announcement[]> {
  const { rows } = await sql<Announcement>`
    select announcement.id, kind, audience, days, venues.name as "venueName", subject, message,
      first_name || ' ' || last_name as "sentBy", announcement.created_at as "createdAt",
      stopped_at as "stoppedAt", closed_at as "closedAt", recipients,
      coalesce(announcement.sent, counts.sent) as sent,
      coalesce(announcement.unsure, counts.unsure) as unsure,
      coalesce(announcement.undelivered, counts.undelivered) as undelivered,
      counts.waiting, counts."underWay"
    from announcements announcement
    cross join lateral (${COUNTS}) counts
    left join venues on venues.id = venue_id
    left join profiles on profiles.user_id = announcement.created_by
    where ${wanted}`.execute(db);
  return rows;
}
