import { accountJobs } from "#app/features/accounts/jobs.server.ts";
import { forgetMessages } from "#app/features/bookings/message-players.server.ts";
import { forgetFreeSessions } from "#app/features/bookings/bookings.server.ts";
import { bookingJobs } from "#app/features/bookings/jobs.server.ts";
import { supportJobs } from "#app/features/support/jobs.server.ts";
import { expireLots } from "#app/features/wallet/expire-lots.server.ts";
import { forgetDebts } from "#app/features/wallet/debts.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers, Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import { holdBack } from "#app/platform/mail-outage.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { deleteOldSignUps } from "#app/features/accounts/sign-ups.server.ts";
import { privacyJobs, sweepFiles } from "#app/features/privacy/jobs.server.ts";

const EXPIRY_MINUTES = 5;
const DAY_MS = 86_400_000;

/** Starts doing the queued jobs, and what is due by the clock; the web process hosts this. */
export async function startWorker({ env, db, jobs }: { env: Env; db: Db; jobs: Jobs }) {
  const tools = { env, db, mailer: createMailer(env, db) };
  const handlers: JobHandlers = {
    ...accountJobs(tools),
    ...bookingJobs(tools),
    ...supportJobs(tools),
    ...privacyJobs(tools),
  };
  await jobs.work(holdBack(db, handlers));
  // Each wallet is locked and asked again, so that several processes may do this at once.
  const expire = () =>
    expireLots(db, new Date()).catch((error) => log.error({ err: error }, "expiring credits"));
  void expire();
  setInterval(expire, EXPIRY_MINUTES * 60_000).unref();
  const tidy = async () => {
    const now = new Date();
    await sweepFiles(db, env.dataDir, now).catch((error) => log.error({ err: error }, "uploads"));
    await forgetFreeSessions(db, now).catch((error) => log.error({ err: error }, "free sessions"));
    await forgetDebts(db, now).catch((error) => log.error({ err: error }, "former debts"));
    await forgetMessages(db, now).catch((error) => log.error({ err: error }, "messages"));
    await deleteOldSignUps(db, now).catch((error) => log.error({ err: error }, "sign-ups"));
  };
  void tidy();
  setInterval(tidy, DAY_MS).unref();
}
