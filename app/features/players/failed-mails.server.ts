import { type RawBuilder, sql } from "kysely";
import { type AuditAction, recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import {
  FAILED_JOBS,
  type FailedJob,
  removeFailedJob,
  type Jobs,
} from "#app/platform/jobs.server.ts";
import { CONFIRM_LINK_HOURS, RESET_LINK_HOURS } from "#app/features/accounts/rules.ts";

export interface FailedMail extends FailedJob {
  userId: string | null;
  name: string | null;
  /** Its link has expired, so resending it would help nobody. */
  hasLapsed: boolean;
}

export async function listFailedMails(
  db: Pick<Db, "getExecutor">,
  { now, limit, id }: { now: Date; limit: number; id?: string },
): Promise<FailedMail[]> {
  const { rows } = await sql<Omit<FailedMail, "hasLapsed">>`
    select mail.*, first_name || ' ' || last_name as name
    from (${failedMails()}) mail left join profiles on profiles.user_id = mail."userId"
    where ${id ?? null}::uuid is null or id = ${id ?? null}::uuid
    order by "failedAt" desc, id limit ${sql.lit(limit)}`.execute(db);
  return rows.map((mail) => ({ ...mail, hasLapsed: hasLapsed(mail, now) }));
}

export async function countFailedMails(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${FAILED_JOBS} limit ${sql.lit(most)}) mail`.execute(db);
  return rows[0]!.count;
}

type Decision = { id: string; actor: string; now: Date };

/** Two concurrent retries queue it once. */
export async function sendFailedMail(db: Db, jobs: Jobs, { id, actor, now }: Decision) {
  return db.transaction().execute(async (tx) => {
    const [mail] = await listFailedMails(tx, { now, limit: 1, id });
    if (mail?.hasLapsed) return { ok: false, reason: "lapsed" } as const;
    if (!mail || !(await jobs.retryFailed(tx, id))) return { ok: false, reason: "gone" } as const;
    await record(tx, actor, "mail.send-again", mail);
    return { ok: true } as const;
  });
}

export async function removeFailedMail(db: Db, { id, actor, now }: Decision) {
  return db.transaction().execute(async (tx) => {
    const [mail] = await listFailedMails(tx, { now, limit: 1, id });
    if (!mail || !(await removeFailedJob(tx, id))) return { ok: false, reason: "gone" } as const;
    await record(tx, actor, "mail.remove", mail);
    return { ok: true } as const;
  });
}

export async function deleteFailedMails(tx: Tx, userId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from (${failedMails()}) mail where "userId" = ${userId}`.execute(tx);
  for (const { id } of rows) await removeFailedJob(tx, id);
}

export function failedMails(): RawBuilder<FailedJob & { userId: string | null }> {
  const idOf = (name: string) => sql`(data->>${sql.lit(name)})::uuid`;
  return sql`select job.*, coalesce(
      ${idOf("userId")},
      (select user_id from bookings where bookings.id = ${idOf("bookingId")}),
      (select user_id from withdrawals where withdrawals.id = ${idOf("withdrawalId")}),
      (select user_id from support_messages where support_messages.id = ${idOf("messageId")}),
      (select user_id from reviews where reviews.id = ${idOf("reviewId")}),
      (select coalesce(support_messages.user_id, reviews.user_id) from letter_answers
        left join support_messages on support_messages.id = message_id
        left join reviews on reviews.id = review_id
        where letter_answers.id = coalesce(${idOf("answerId")}, (
          select answer_id from ticket_replies where id = ${idOf("replyId")})))) as "userId"
    from (${FAILED_JOBS}) job`;
}

const HOUR_MS = 3_600_000;

/** After a retry the link's age is unknown, so it counts as expired. */
function hasLapsed({ queue, hasToken, queuedAt, isRepeated }: FailedJob, now: Date): boolean {
  const hours = queue === "mail.confirm-address" ? CONFIRM_LINK_HOURS : RESET_LINK_HOURS;
  return hasToken && (isRepeated || now.getTime() - queuedAt.getTime() >= hours * HOUR_MS);
}

async function record(tx: Tx, actor: string, action: AuditAction, mail: FailedMail) {
  const details = { mail: mail.queue };
  await recordAudit(tx, { actor, action, subject: mail.userId ?? mail.id, details });
}
