import {
  composePush,
  createPushSender,
  emailJobs,
  type NoticeSenders,
} from "#app/features/notifications/send-notice.server.tsx";
import { NOTICES } from "#app/notices.server.ts";
import type { AnyNotice, NoticeData, NoticeKind } from "#app/platform/notices.ts";
import { testApp } from "./app.ts";
import type { TestDatabase } from "./db.ts";
import { NOW } from "./fixtures.ts";

type Senders = { [Kind in NoticeKind]: (data: NoticeData[Kind]) => Promise<void> };

/** By its kind, how the worker sends each email. */
export function mailJobs(tools: NoticeSenders, notices: readonly AnyNotice[] = NOTICES): Senders {
  const { "mail.send": send } = emailJobs(tools, notices);
  const ofKind = ({ kind }: AnyNotice) => [kind, (data: object) => send({ ...data, kind })];
  return Object.fromEntries(notices.map(ofKind)) as Senders;
}

/** As if the worker had sent what is queued of this kind. */
export const markSent = ({ pool }: TestDatabase, kind: NoticeKind) =>
  pool.query("delete from pgboss.job where name = 'mail.send' and data->>'kind' = $1", [kind]);

/** The job that sends a push message to one device, as the worker has it. */
export const pushSender = (tools: Omit<NoticeSenders, "mailer">) =>
  createPushSender(tools, NOTICES);

/** What a push message of this kind says at this moment; null if nothing. */
export const pushOf = (
  database: TestDatabase,
  kind: NoticeKind,
  [subjectId, version, userId = ""]: [subjectId: string, version: string, userId?: string],
  now = NOW,
) => {
  const notice = NOTICES.find((one) => one.kind === kind)!;
  return composePush(
    testApp(database, () => now),
    notice,
    [subjectId, version, userId],
  );
};
