import { type RawBuilder, sql } from "kysely";
import type { AuditAction } from "#app/platform/audit-actions.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { type Jobs } from "#app/platform/jobs.server.ts";
import {
  FAILED_JOBS,
  type FailedJob,
  removeFailedJob,
} from "#app/platform/waiting-mails.server.ts";
import type { NoticeJob } from "#app/platform/notices.ts";
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
type Decided = { ok: true } | { ok: false; reason: "lapsed" | "gone" };

/** Two concurrent retries queue it once. */
export async function sendFailedMail(
  db: Db,
  jobs: Jobs,
  { id, actor, now }: Decision,
): Promise<Decided> {
  return db.transaction().execute(async (tx) => {
    const [mail] = await listFailedMails(tx, { now, limit: 1, id });
    if (mail?.hasLapsed) return { ok: false, reason: "lapsed" };
    if (!mail || !(await jobs.retryFailed(tx, id))) return { ok: false, reason: "gone" };
    await recordAction(tx, actor, "mail.send-again", mail);
    return { ok: true };
  });
}

export async function removeFailedMail(db: Db, { id, actor, now }: Decision): Promise<Decided> {
  return db.transaction().execute(async (tx) => {
    const [mail] = await listFailedMails(tx, { now, limit: 1, id });
    if (!mail || !(await removeFailedJob(tx, id))) return { ok: false, reason: "gone" };
    await recordAction(tx, actor, "mail.remove", mail);
    return { ok: true };
  });
}

export async function deleteFailedMails(tx: Tx, userId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from (${failedMails()}) mail where "userId" = ${userId}`.execute(tx);
  for (const { id } of rows) await removeFailedJob(tx, id);
}

type IdsOf<Data> = Data extends unknown ? Extract<keyof Data, `${string}Id`> : never;
export type MailId = IdsOf<NoticeJob>;

type Leads = (id: RawBuilder<unknown>) => RawBuilder<unknown>;
/** From an id to its player; null where there is no account. */
const LEADS: Record<MailId, Leads | null> = {
  userId: (id) => id,
  bookingId: (id) => sql`(select user_id from bookings where bookings.id = ${id})`,
  entryId: (id) => sql`(select user_id from waitlist_entries where waitlist_entries.id = ${id})`,
  paymentId: (id) => sql`(select user_id from payments where payments.id = ${id})`,
  holdId: (id) => sql`(select user_id from payment_holds where payment_holds.id = ${id})`,
  withdrawalId: (id) => sql`(select user_id from withdrawals where withdrawals.id = ${id})`,
  messageId: (id) => sql`(select user_id from support_messages where support_messages.id = ${id})`,
  reviewId: (id) => sql`(select user_id from reviews where reviews.id = ${id})`,
  answerId: (id) => writerOf(id),
  replyId: (id) => writerOf(sql`(select answer_id from ticket_replies where id = ${id})`),
  signUpId: null,
  gameId: null,
  eventId: null,
  announcementId: null,
};

const writerOf: Leads = (answerId) => sql`(
  select coalesce(support_messages.user_id, reviews.user_id) from letter_answers
  left join support_messages on support_messages.id = message_id
  left join reviews on reviews.id = review_id
  where letter_answers.id = ${answerId})`;

export function failedMails(): RawBuilder<FailedJob & { userId: string | null }> {
  const found = Object.entries(LEADS).flatMap(
    ([name, lead]) => lead?.(sql`(data->>${sql.lit(name)})::uuid`) ?? [],
  );
  return sql`select job.*, coalesce(${sql.join(found)}) as "userId" from (${FAILED_JOBS}) job`;
}

const HOUR_MS = 3_600_000;

/** After a retry the link's age is unknown, so it counts as expired. */
function hasLapsed({ kind, hasToken, queuedAt, isRepeated }: FailedJob, now: Date): boolean {
  const hours = kind === "confirm-address" ? CONFIRM_LINK_HOURS : RESET_LINK_HOURS;
  return hasToken && (isRepeated || now.getTime() - queuedAt.getTime() >= hours * HOUR_MS);
}

async function recordAction(tx: Tx, actor: string, action: AuditAction, mail: FailedMail) {
  const details = { mail: mail.kind };
  await recordAudit(tx, { actor, action, subject: mail.userId ?? mail.id, details });
}
