import type { Announcement } from "#app/features/announcements/progress.server.ts";
import { isNewsWaiting, peopleText, VENUE_DAYS } from "#app/features/announcements/rules.ts";
import type { Env } from "#app/platform/env.server.ts";
import { formatMoment } from "#app/platform/clock.ts";

type Tone = "green" | "amber" | "neutral";

/** What a list and the page of an announcement say of it. */
export function toAnnouncementView(announcement: Announcement, env: Sending, now: Date) {
  const { id, kind, subject, message, sentBy, createdAt, recipients, sent } = announcement;
  const { waiting, underWay, unsure, undelivered, stoppedAt, closedAt } = announcement;
  const leftOut = recipients - sent - unsure - waiting - underWay - undelivered;
  const isDone = waiting + underWay === 0;
  const isStopped = stoppedAt !== null && waiting > 0;
  const state: { label: string; tone: Tone } =
    closedAt || isDone
      ? { label: "Sent", tone: "green" }
      : isStopped
        ? { label: "Stopped", tone: "amber" }
        : { label: "Sending", tone: "neutral" };
  return {
    ...{ id, subject, message, recipients, sent, state, undelivered },
    kind: kind === "news" ? "News" : "Important",
    facts: `${sentBy ?? "Somebody"}, ${formatMoment(createdAt)}, to ${audienceText(announcement)}`,
    progress: `${count(sent)} of ${count(recipients)} sent`,
    rest: [
      waiting > 0 && `${count(waiting)} not begun`,
      underWay > 0 && `${count(underWay)} with the mail server`,
      unsure > 0 && `${count(unsure)} perhaps sent`,
      leftOut > 0 && `${count(leftOut)} left out`,
      undelivered > 0 && `${count(undelivered)} not delivered`,
    ].filter((text) => text !== false),
    hasLeftOut: leftOut > 0,
    hasUnsure: unsure > 0,
    left:
      isDone || isStopped
        ? null
        : kind === "news" && isNewsWaiting(now, env)
          ? NIGHT
          : `This goes on by itself, ${leftText(waiting, env.announcementsPerMinute)}.`,
    canStop: !closedAt && waiting > 0 && !isStopped,
    canResume: !closedAt && isStopped,
    isFinished: closedAt !== null || isDone || (isStopped && underWay === 0),
  };
}
export type AnnouncementView = ReturnType<typeof toAnnouncementView>;

type Sending = Pick<Env, "announcementsPerMinute" | "sendsAtNight">;

const NIGHT = "News is sent from 8:00 to 22:00. This goes on by itself in the morning.";

const count = (value: number) => value.toLocaleString("en-GB");

function audienceText({ audience, days, venueName, recipients }: Announcement): string {
  const people = peopleText(recipients);
  if (audience === "everybody") return `everybody (${people})`;
  if (audience === "played") return `${people} who had played within ${days} days`;
  return `${people} who play at ${venueName ?? "a venue that is gone"}`;
}

function leftText(waiting: number, perMinute: number): string {
  const minutes = Math.ceil(waiting / perMinute);
  const rate = `at most ${count(perMinute)} a minute`;
  if (minutes < 90) return `${rate}: about ${minutes} min more`;
  return `${rate}: about ${Math.round(minutes / 60)} hours more`;
}

export const venueHint = `Who has played there within ${VENUE_DAYS} days, or has a spot to come`;
