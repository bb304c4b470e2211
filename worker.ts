import { TICK_MS } from "#app/features/announcements/rules.ts";
import {
  closeAnnouncements,
  queueAnnouncements,
} from "#app/features/announcements/send-announcements.server.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { adoptComingPages } from "#app/features/legal/coming-pages.server.ts";
import { purgeMessages } from "#app/features/organise/message-players.server.ts";
import { purgeChats } from "#app/features/chat/messages.server.ts";
import { pushChats } from "#app/features/chat/pushes.server.ts";
import {
  cancellationJobs,
  refundUnfinished,
} from "#app/features/organise/bulk-cancellations.server.ts";
import { WEEKLY_METRICS } from "#app/features/reports/metrics.server.ts";
import { decideGames } from "#app/features/organise/decide-games.server.ts";
import { purgeHolds } from "#app/features/friends/holds.server.ts";
import {
  promotionJobs,
  sweepHolds,
  sweepWaitlists,
} from "#app/features/waitlist/promote-waiting.server.ts";
import { paidJoinJobs, sweepPaidHolds } from "#app/features/bookings/join-paid.server.ts";
import { sendReminders } from "#app/features/bookings/reminders.server.ts";
import { createPushSender, emailJobs } from "#app/features/notifications/send-notice.server.tsx";
import { purgeSent } from "#app/features/notifications/notify.server.ts";
import { notifyOfExpiringCredits } from "#app/features/wallet/expiring-credits.server.ts";
import { expireLots } from "#app/features/wallet/expire-lots.server.ts";
import { purgePaymentHolds } from "#app/features/wallet/payment-holds.server.ts";
import { purgeFormerPayers } from "#app/features/wallet/debts.server.ts";
import { NOTICES } from "#app/notices.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { type ScheduledJob, startScheduler } from "#app/platform/scheduler.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { adoptFormerMails } from "#app/platform/waiting-mails.server.ts";
import { keepWeeks } from "#app/platform/weekly-metrics.server.ts";
import { holdBack } from "#app/platform/mail-outage.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { deleteOldSignUps } from "#app/features/accounts/sign-ups.server.ts";
import { sweepFiles } from "#app/features/privacy/sweep-files.server.ts";
import { purgeFreeSessions } from "#app/features/seats/free-session.server.ts";
import { purgeCancellations } from "#app/features/organise/stored-cancellations.server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Worker {
  env: Env;
  db: Db;
  jobs: Jobs;
  /** Scheduled jobs wait while it is not. */
  isClockRight?: () => boolean;
}

/**
 * Runs queued and scheduled jobs; the web process can host it. Returns how to stop the scheduled
 * ones; the queues are stopped by `jobs`.
 */
export async function startWorker(worker: Worker, scheduled = listScheduledJobs(worker)) {
  const { env, db, jobs, isClockRight } = worker;
  const now = () => new Date();
  const tools = { env, db, mailer: createMailer(env, db), now };
  const mails = emailJobs(tools, NOTICES);
  // Push messages do not wait for a mail server.
  const pushes = { "push.send": createPushSender(tools, NOTICES) };
  const promotions = promotionJobs({ db, jobs, now });
  const refunds = cancellationJobs({ db, jobs, now });
  const paid = paidJoinJobs({ db, jobs, now });
  await jobs.work({ ...holdBack(db, mails), ...pushes, ...promotions, ...refunds, ...paid });
  return startScheduler(scheduled, isClockRight);
}

/** Scheduled jobs, also run at the start. Several processes may run them at once. */
export function listScheduledJobs({ env, db, jobs }: Worker): ScheduledJob[] {
  const files = openFiles(env);
  return [
    { name: "waitlists", everyMs: 15_000, run: (now) => sweepWaitlists(db, jobs, now) },
    { name: "held spots", everyMs: 15_000, run: (now) => sweepHolds(db, jobs, now) },
    { name: "paid spots", everyMs: 15_000, run: (now) => sweepPaidHolds(db, jobs, now) },
    { name: "decisions", everyMs: 15_000, run: (now) => decideGames(db, jobs, now) },
    { name: "refunds", everyMs: 15_000, run: (now) => refundUnfinished(db, jobs, now) },
    { name: "chat pushes", everyMs: 15_000, run: (now) => pushChats(db, jobs, now) },
    { name: "former mails", everyMs: 15_000, run: () => adoptFormerMails(db, QUEUES) },
    {
      name: "announcements",
      everyMs: TICK_MS,
      run: (now) =>
        queueAnnouncements(db, jobs, { ...env, perMinute: env.announcementsPerMinute }, now),
    },
    { name: "reminders", everyMs: 5 * MINUTE_MS, run: (now) => sendReminders(db, jobs, now) },
    {
      name: "expiring credits",
      everyMs: 5 * MINUTE_MS,
      run: (now) => notifyOfExpiringCredits(db, jobs, now),
    },
    { name: "credits", everyMs: 5 * MINUTE_MS, run: (now) => expireLots(db, now) },
    {
      name: "weekly metrics",
      everyMs: 5 * MINUTE_MS,
      run: (now) => keepWeeks(db, WEEKLY_METRICS, now),
    },
    { name: "legal texts", everyMs: 5 * MINUTE_MS, run: (now) => adoptComingPages(db, now) },
    { name: "uploads", everyMs: DAY_MS, run: (now) => sweepFiles(db, files, now) },
    { name: "free sessions", everyMs: DAY_MS, run: (now) => purgeFreeSessions(db, now) },
    { name: "past holds", everyMs: DAY_MS, run: (now) => purgeHolds(db, now) },
    { name: "past payment holds", everyMs: DAY_MS, run: (now) => purgePaymentHolds(db, now) },
    { name: "former debts", everyMs: DAY_MS, run: (now) => purgeFormerPayers(db, now) },
    { name: "messages", everyMs: DAY_MS, run: (now) => purgeMessages(db, now) },
    { name: "cancellations", everyMs: DAY_MS, run: (now) => purgeCancellations(db, now) },
    { name: "chats", everyMs: DAY_MS, run: (now) => purgeChats(db, now) },
    { name: "sent notifications", everyMs: DAY_MS, run: (now) => purgeSent(db, now) },
    { name: "past announcements", everyMs: DAY_MS, run: (now) => closeAnnouncements(db, now) },
    { name: "sign-ups", everyMs: DAY_MS, run: (now) => deleteOldSignUps(db, now) },
  ];
}
