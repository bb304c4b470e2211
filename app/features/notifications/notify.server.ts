import { sql } from "kysely";
import { lockAccounts } from "#app/features/accounts/accounts.server.ts";
import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";
import type { NoticeTarget } from "./rules.ts";

interface Sending<Kind extends NoticeKind> {
  kind: Kind;
  now: Date;
  /** At most `limit` that are due, without those already sent. */
  listDue(limit: number): Promise<NoticeTarget[]>;
  /** What its email's job carries; absent, it has none. */
  email?(notice: NoticeTarget): NoticeData[Kind];
  record?(tx: Tx, notices: NoticeTarget[]): Promise<void>;
}

const BATCH = 100;

/** Sends each notice once, however often and by however many processes it is found due. */
export async function notifyDue<Kind extends NoticeKind>(
  db: Db,
  jobs: Jobs,
  { kind, now, listDue, email, record }: Sending<Kind>,
): Promise<void> {
  let due = [];
  do {
    due = await listDue(BATCH);
    if (due.length > 0) await send(due);
  } while (due.length === BATCH);

  async function send(notices: NoticeTarget[]) {
    await db.transaction().execute(async (tx) => {
      await lockAccounts(
        tx,
        notices.map(({ userId }) => userId),
      );
      const fresh = await claim(tx, kind, notices, now);
      if (email) await jobs.enqueueEmails(tx, kind, fresh.map(email));
      await record?.(tx, notices);
      await enqueuePushes(tx, jobs, kind, fresh);
    });
  }
}

/** Claims what nobody has sent; in one order, since two processes may claim the same ones. */
async function claim(tx: Tx, kind: NoticeKind, notices: NoticeTarget[], now: Date) {
  const rows = notices.map((notice) => ({ ...notice, subject: subjectOf(notice) }));
  rows.sort((a, b) => compare(noticeKey(a), noticeKey(b)));
  const { rows: claimed } = await sql<{ userId: string; subject: string }>`
    insert into notifications_sent (user_id, kind, subject, sent_at)
    select user_id, ${kind}, subject, ${now}
    from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ subject }) => subject)}::text[])
      with ordinality as due (user_id, subject, n) order by n
    on conflict do nothing returning user_id as "userId", subject`.execute(tx);
  const fresh = new Set(claimed.map(noticeKey));
  return rows.filter((row) => fresh.has(noticeKey(row)));
}

const noticeKey = (row: { userId: string; subject: string }) => `${row.userId} ${row.subject}`;

const compare = (a: string, b: string) => (a < b ? -1 : 1);

const subjectOf = ({ subjectId, version }: NoticeTarget) => `${subjectId} ${version}`;

/** SQL: whether this notice was sent already. `offset 0` keeps it a look-up
 * by key for each row; a join would read the whole table. */
export const wasSent = (userColumn: string, kind: NoticeKind, subject: unknown) =>
  sql<boolean>`exists (select from notifications_sent sent
    where sent.user_id = ${sql.ref(userColumn)} and sent.kind = ${kind} and sent.subject = ${subject}
    offset 0)`;

/** A job for each device of these players. What they have switched off is left out on sending. */
export async function enqueuePushes(
  tx: Tx,
  jobs: Pick<Jobs, "enqueueAll">,
  kind: NoticeKind,
  notices: NoticeTarget[],
  delay: { delaySeconds?: number } = {},
): Promise<void> {
  if (notices.length === 0) return;
  const devices = await tx
    .selectFrom("push_subscriptions")
    .select(["id", "user_id as userId"])
    .where(isOneOf("user_id", [...new Set(notices.map(({ userId }) => userId))]))
    .execute();
  const devicesOf = Map.groupBy(devices, ({ userId }) => userId);
  const pushes = notices.flatMap(({ userId, subjectId, version }) =>
    (devicesOf.get(userId) ?? []).map(({ id }) => {
      return { subscriptionId: id, kind, subjectId, version };
    }),
  );
  await jobs.enqueueAll(tx, "push.send", pushes, delay);
}

/** No notice is due again after as long as this. */
const KEPT_DAYS = 60;

export async function purgeSent(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom("notifications_sent").where("sent_at", "<", before).execute();
}
