import type pg from "pg";
import { openDatabase } from "#app/platform/db.server.ts";
import { openJobs, QUEUES } from "#app/jobs.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import { holdBack } from "#app/platform/mail-outage.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { TEST_SECRET } from "./db.ts";

/**
 * Works on the mail queues as worker.ts does, with its own connections. A booking's mail goes to
 * the local part that its id begins with, such as "ada" for "ada.1".
 */
export async function startMailWorker(connection: pg.ClientConfig, smtpUrl: string) {
  const { db, pool, close } = openDatabase(connection);
  const jobs = await openJobs(pool, TEST_SECRET);
  const env = { smtpUrl, mailFrom: "site@kickabout.test", dataDir: "" };
  const mailer = createMailer({ ...env, appUrl: "http://kickabout.test" }, db);
  const idle = Object.fromEntries(Object.keys(QUEUES).map((queue) => [queue, async () => {}]));
  const handlers = {
    ...idle,
    "mail.send": ({ bookingId: key }: { bookingId: string }) => {
      const to = `${key.split(".")[0]}@uni.example`;
      return mailer({ key, to, subject: "You're in", html: "<p>In</p>", text: "In" });
    },
  };
  await jobs.work(holdBack(db, handlers) as unknown as JobHandlers);
  return {
    jobs,
    stop: async () => {
      await jobs.stop();
      await close();
    },
  };
}

// Started as a process of its own: node test/mail-worker.ts CONNECTION SMTP_URL.
const [, script, connection, smtpUrl] = process.argv;
if (script === import.meta.filename && connection && smtpUrl) {
  await startMailWorker(JSON.parse(connection) as pg.ClientConfig, smtpUrl);
}
