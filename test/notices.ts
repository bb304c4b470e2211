import {
  composePush,
  createPushSender,
  noticeJobs,
  type NoticeSenders,
} from "#app/features/notifications/send-notice.server.tsx";
import { NOTICES } from "#app/notices.server.ts";
import type { AnyNotice, NoticeKind } from "#app/platform/notices.ts";
import { testApp } from "./app.ts";
import type { TestDatabase } from "./db.ts";
import { NOW } from "./fixtures.ts";

/** The jobs that send emails, as the worker has them. */
export const mailJobs = (tools: NoticeSenders, notices: readonly AnyNotice[] = NOTICES) =>
  noticeJobs(tools, notices);

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
