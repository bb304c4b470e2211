import { clockTime } from "#app/features/games/rules.ts";
import { addDays, helsinkiDate, monthDay, shortWeekday, wallClock } from "#app/platform/clock.ts";
import { linkParts } from "./links.server.ts";
import type { ChatMessage } from "./messages.server.ts";
import { splitLong } from "./rules.ts";

export type MessageView = ReturnType<typeof toMessageView>;

/** Shown by pages and streams: the same for all who may read it. */
export function toMessageView(message: ChatMessage, now: Date) {
  const { id, number, kind, body, createdAt, userId, firstName, lastName } = message;
  const [subject, ...lines] = (body ?? "").split("\n");
  const isAnnouncement = kind === "Announcement";
  const [start, rest] = splitLong((isAnnouncement ? lines.join("\n") : body) ?? "");
  const date = helsinkiDate(createdAt);
  return {
    ...{ id, number, kind, date },
    authorId: userId,
    // The organisers' own words stay when the author's account is deleted.
    name: firstName ?? (isAnnouncement ? ORGANISER : DELETED_PLAYER),
    fullName: firstName && `${firstName} ${lastName}`,
    pictureUrl: message.pictureUrl,
    isOrganiser: message.isOrganiser || isAnnouncement,
    isPinned: message.pinnedAt !== null,
    sentAt: createdAt.getTime(),
    day: dayText(date, now),
    time: timeOf(createdAt),
    subject: isAnnouncement ? subject : "",
    parts: linkParts(start),
    rest: linkParts(rest),
    gone: goneText(message),
  };
}

/** What is left of a message; a first game's line names its player nowhere else. */
function goneText({ kind, removedBy }: ChatMessage): string | null {
  if (removedBy === "AccountDeleted" && kind === "FirstGame") return DELETED_PLAYER;
  return removedBy && GONE[removedBy];
}

const ORGANISER = "Organiser";
const DELETED_PLAYER = "Deleted player";
const GONE = {
  Author: "Deleted",
  Organiser: "Removed by an organiser",
  AccountDeleted: "Deleted",
};

const timeOf = (instant: Date) => clockTime(wallClock(instant).time);

export function dayText(date: string, now: Date): string {
  const today = helsinkiDate(now);
  const near = { [today]: "Today", [addDays(today, -1)]: "Yesterday" };
  return near[date] ?? `${shortWeekday(date)}, ${monthDay(date)}`;
}
