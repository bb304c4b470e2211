import { randomUUID } from "node:crypto";
import { beforeEach, expect } from "vitest";
import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { countAudience } from "#app/features/announcements/audience.server.ts";
import type { AnnouncementInput } from "#app/features/announcements/input.ts";
import { findAnnouncement } from "#app/features/announcements/progress.server.ts";
import type { AnnouncementKind, Audience } from "#app/features/announcements/rules.ts";
import { queueAnnouncements } from "#app/features/announcements/send-announcements.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { ada, NOW } from "./fixtures.ts";
import { mailJobs } from "./notices.ts";
import { waitingIn } from "./notifications.ts";

export const EVERYBODY = { audience: "everybody" } as const;
export const TEXT = { subject: "New games", message: "Come and play.\n\nIn Töölö." };

/** Announcements by one organiser, who is the only player at first. Read it inside tests. */
export function useAnnouncements() {
  const database = useDatabase();
  const sent: Mail[] = [];
  const organiser = { id: "" };
  beforeEach(async () => {
    await database.pool.query(`truncate announcement_recipients, announcements;
      update games set status = 'Cancelled';
      update profiles set deleted_at = now() where deleted_at is null;
      do $$ begin if to_regclass('pgboss.job') is not null then delete from pgboss.job; end if; end $$`);
    organiser.id = await ada(database.db);
    sent.length = 0;
  });
  const scenario = {
    database,
    /** The emails that were delivered. */
    sent,
    get actor() {
      return organiser.id;
    },
    count: (to: Audience, kind: AnnouncementKind = "news") =>
      countAudience(database.db, { to, kind, now: NOW }),
    async send(input: AnnouncementInput = { ...EVERYBODY, kind: "news", ...TEXT }) {
      const [announcementId, shown] = [randomUUID(), await scenario.count(input, input.kind)];
      const form = { announcementId, input, shown, actor: organiser.id, now: NOW };
      expect(await announce(database.db, form)).toEqual({ ok: true, recipients: shown });
      return announcementId;
    },
    queue: (perMinute = 6_000, now = NOW) =>
      queueAnnouncements(database.db, database.jobs, { perMinute, sendsAtNight: false }, now),
    /** Sends what is queued, as the worker does, and marks its jobs as completed. */
    async deliver(take: (mail: Mail) => void = (mail) => void sent.push(mail)) {
      const tools = { ...testApp(database, () => NOW), mailer: async (mail: Mail) => take(mail) };
      const jobs = mailJobs(tools);
      for (const name of ["mail.news", "mail.important-announcement"] as const) {
        for (const { kind, ...data } of await waitingIn(database, name)) await jobs[kind](data);
        await database.pool.query("delete from pgboss.job where name = $1", [name]);
      }
    },
    addresses: () => sent.map(({ to }) => to).toSorted(),
    async addressOf(userId: string) {
      const users = database.db.selectFrom("users").select("email").where("id", "=", userId);
      return (await users.executeTakeFirstOrThrow()).email;
    },
    progress: async (id: string) => (await findAnnouncement(database.db, id))!,
    stop: (id: string, isStopped = true) =>
      stopAnnouncement(database.db, { id, isStopped, actor: organiser.id, now: NOW }),
    suspend: (userId: string) =>
      database.pool.query(
        "update users set suspended_at = now(), suspended_reason = 'x' where id = $1",
        [userId],
      ),
  };
  return scenario;
}
