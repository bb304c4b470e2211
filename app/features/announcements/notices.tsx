import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { defineNotice, type Notice } from "#app/platform/notices.ts";
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

type Given = Pick<Notice<AnnouncementKind, AnnouncementJob, Announced>, "label" | "switchable"> & {
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

/** Where it was stopped before its turn, it waits again. */
async function noteEnd(
  facts: Announced | null,
  { announcementId, userId }: AnnouncementJob,
  { isSent, now, db }: { isSent: boolean; now: Date; db: Db },
): Promise<void> {
  if (!facts) return;
  const end = facts.isStopped
    ? { queued_at: null }
    : { outcome: isSent ? ("sent" as const) : ("left-out" as const), ended_at: now };
  await db
    .updateTable("announcement_recipients")
    .set(end)
    .where("announcement_id", "=", announcementId)
    .where("user_id", "=", userId)
    .where("outcome", "is", null)
    .execute();
}

export const announcementNotices = [news, important] as const;
