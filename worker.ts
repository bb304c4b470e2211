import { accountJobs } from "./app/features/accounts/jobs.server.ts";
import { bookingJobs } from "./app/features/bookings/jobs.server.ts";
import type { Db } from "./app/platform/db.server.ts";
import type { Env } from "./app/platform/env.server.ts";
import type { Jobs } from "./app/platform/jobs.server.ts";
import { createMailer } from "./app/platform/mail.server.ts";

/** Starts doing the queued jobs; the web process hosts this. */
export async function startWorker({ env, db, jobs }: { env: Env; db: Db; jobs: Jobs }) {
  const tools = { env, db, mailer: createMailer(env) };
  await jobs.work({ ...accountJobs(tools), ...bookingJobs(tools) });
}
