import { sql } from "kysely";
import type { Db, Tx } from "./db.server.ts";
import type { NoticeKind } from "./notices.ts";

/** Jobs that failed for good, for admins to decide; no worker takes them. */
export const FAILED = "failed-mails";

export const PUT_ASIDE = "PutAside";

const OUTPUT = JSON.stringify({ name: PUT_ASIDE, message: "waited when the backup was taken" });

// For a restored database: what waited then has been sent since. Keeps emails for admins, as if
// given up, and drops push messages, which would come too late. Returns how many are kept.
export async function putMailsAside(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    with waiting as (
      delete from pgboss.job where state in ('created', 'retry', 'active')
        and (name like 'mail.%' or name = 'push.send') returning *)
    insert into pgboss.job (name, data, retry_limit, keep_until, source_name, source_id,
      source_created_on, source_retry_count, source_output, source_root_id)
    select kept.name, data, kept.retry_limit, now() + make_interval(secs => kept.retention_seconds),
      waiting.name, id, waiting.created_on, retry_count, ${OUTPUT}::jsonb,
      coalesce(source_root_id, id)
    from waiting join pgboss.queue kept on kept.name = waiting.dead_letter`.execute(tx);
  return Number(numAffectedRows);
}

/** Whether such an email is queued and not begun: it will say what is true when it is sent. */
export async function isEmailWaiting(
  db: Db,
  email: { kind: NoticeKind; bookingId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job where name = 'mail.send' and state < 'active'
      and data @> ${JSON.stringify(email)}::jsonb limit 1`.execute(db);
  return rows.length > 0;
}

/** How many emails are queued in these queues and not begun. */
export async function countWaitingMails(db: Db, queues: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job
    where name = any(${queues}::text[]) and state in ('created', 'retry')`.execute(db);
  return rows[0]!.count;
}

/** Emails that an earlier version queued, each kind in a queue of its own, join those of today. */
export async function adoptFormerMails(db: Db, queues: object): Promise<void> {
  await sql`
    update pgboss.job
    set name = 'mail.send', data = jsonb_build_object('kind', substr(name, 6)) || data
    where name like 'mail.%' and not name = any(${Object.keys(queues)}::text[])
      and state in ('created', 'retry')`.execute(db);
}

export interface FailedJob {
  id: string;
  /** Kind of a notice, or an earlier version's name of it. */
  kind: string;
  queuedAt: Date;
  failedAt: Date;
  error: string | null;
  code: string | null;
  reason: string | null;
  hasToken: boolean;
  isRepeated: boolean;
}

export const FAILED_JOBS = sql<FailedJob & { data: object }>`
  select id, coalesce(data->>'kind', substr(source_name, 6)) as kind, source_created_on as "queuedAt", created_on as "failedAt",
    source_output->>'name' as error, source_output->>'code' as code,
    source_output->>'message' as reason, data ? 'token' as "hasToken",
    source_root_id <> source_id as "isRepeated", data
  from pgboss.job where name = ${sql.lit(FAILED)} and state = 'created'`;

export async function removeFailedJob(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from pgboss.job where name = ${FAILED} and id = ${id}::uuid returning id`.execute(tx);
  return rows.length > 0;
}
