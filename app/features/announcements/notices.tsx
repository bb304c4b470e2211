import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { defineNotice, type Notice, type NoticeTools } from "#app/platform/notices.ts";
import type { AnnouncementKind } from "./rules.ts";

interface AnnouncementJob {
  announcementId: string;
  userId: string;
}

interface Announced {
  email: string;
  userId: string;
  subject: string;
  message: string;
  isOpen: boolean;
  isStopped: boolean;
}

type Given = Pick<
  Notice<AnnouncementKind, AnnouncementJob, Announced>,
  "label" | "switchable" | "begin"
> & {
  footer?: string;
};

const defineAnnouncement = <Kind extends AnnouncementKind>(kind: Kind, given: Given) => {
  const { footer, ...notice } = given;
  return defineNotice<Kind, AnnouncementJob, Announced>({
    kind,
    ...notice,
    facts: ({ announcementId, userId }, { db }) => findAnnounced(db, announcementId, userId),
    stillTrue: ({ isOpen, isStopped }) => isOpen && !isStopped,
    key: ({ announcementId, userId }) => `announcement:${announcementId}:${userId}`,
    email: ({ subject, message }, site) => ({
      ...{ subject, replyTo: site.contactEmail, text: message.split(/\n{2,}/) },
      preview: message.slice(0, 120),
      ...(footer && { footer: `${footer} Questions: ${site.contactEmail}` }),
    }),
    ended: noteEnd,
  });
};

const news = defineAnnouncement("news", {
  label: "News from the organisers",
  switchable: {
    label: "News from the organisers",
    hint: "New games and venues, and what else is on",
  },
  begin: noteBegin,
});

const important = defineAnnouncement("important-announcement", {
  label: "Important announcement",
  footer: "Everybody whom it concerns gets this email: it cannot be switched off.",
});

/** Null once it was sent or left out: a job may run twice. */
async function findAnnounced(db: Db, id: string, userId: string): Promise<Announced | null> {
  const row = await db
    .selectFrom("announcement_recipients as recipient")
    .innerJoin("announcements as announcement", "announcement.id", "announcement_id")
    .innerJoin("users", "users.id", "user_id")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.email", "users.id as userId", "subject", "message"])
    .select(sql<boolean>`deleted_at is null and suspended_at is null`.as("isOpen"))
    .select(sql<boolean>`stopped_at is not null`.as("isStopped"))
    .where("announcement.id", "=", id)
    .where("users.id", "=", userId)
    .where("outcome", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Of news: nobody gets it twice, whenever a worker is killed. What is important has to arrive. */
async function noteBegin({ announcementId, userId }: AnnouncementJob, { db, now }: NoticeTools) {
  const begun = await db
    .updateTable("announcement_recipients")
    .set({ begun_at: now })
    .where("announcement_id", "=", announcementId)
    .where("user_id", "=", userId)
    .where("begun_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return begun !== undefined;
}

type Ended = Parameters<NonNullable<Notice<string, AnnouncementJob, Announced>["ended"]>>;

async function noteEnd(...[facts, { announcementId, userId }, { result, now, db }]: Ended) {
  if (!facts) return;
  await db
    .updateTable("announcement_recipients")
    .set(endOf(facts, result, now))
    .where("announcement_id", "=", announcementId)
    .where("user_id", "=", userId)
    .where("outcome", "is", null)
    .execute();
}

function endOf({ isStopped }: Announced, result: Ended[2]["result"], now: Date) {
  if (result === "failed") return { begun_at: null };
  if (result === "sent") return { outcome: result, ended_at: now };
  const unsure = sql<
    "unsure" | "left-out"
  >`case when begun_at is null then 'left-out' else 'unsure' end`;
  // Stopped before its turn, it waits again, unless it may have been sent.
  return isStopped
    ? {
        queued_at: sql<Date | null>`case when begun_at is not null then queued_at end`,
        outcome: sql<"unsure" | null>`case when begun_at is not null then 'unsure' end`,
        ended_at: sql<Date | null>`case when begun_at is not null then ${now}::timestamptz end`,
      }
    : { outcome: unsure, ended_at: now };
}

export const announcementNotices = [news, important] as const;
