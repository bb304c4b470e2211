import { mailJobs } from "./notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { beforeEach } from "vitest";
import type { waitlistNotices } from "#app/features/waitlist/notices.tsx";
import type { NoticeData } from "#app/platform/notices.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { testApp } from "./app.ts";
import type { TestDatabase } from "./db.ts";
import { NOW } from "./fixtures.ts";

type EntryMail = (typeof waitlistNotices)[number]["kind"];

/** Emails of places on a waitlist, as the worker sends them at `clock.now`; call it after useDatabase. */
export function entryMails(database: TestDatabase) {
  const sent: Mail[] = [];
  const clock = { now: NOW };
  beforeEach(() => {
    sent.length = 0;
    clock.now = NOW;
  });
  const mailer = async (mail: Mail) => void sent.push(mail);
  const tools = () => ({ ...testApp(database, () => clock.now), mailer });

  /** The newest queued mail of a place; null where none is sent. */
  async function send(name: EntryMail, entryId: string): Promise<Mail | null> {
    const { rows } = await database.pool.query<{ data: NoticeData[EntryMail] }>(
      "select data from pgboss.job where name = 'mail.send' and data->>'kind' = $1 and data->>'entryId' = $2 order by created_on desc limit 1",
      [name, entryId],
    );
    if (!rows[0]) throw new Error(`no ${name}`);
    const before = sent.length;
    await mailJobs(tools())[name](rows[0].data as never);
    return sent.length > before ? sent.at(-1)! : null;
  }
  return { sent, clock, tools, send };
}

export const linkIn = (mail: Mail | null) =>
  pageBehind(/<a[^>]*href="([^"]+)"/.exec(mail?.html ?? "")?.[1]);
