import { dueUntil } from "#app/features/notifications/rules.ts";

export const SUBJECT_MAX = 120;
export const MESSAGE_MAX = 5_000;
export const DAYS_MAX = 730;
export const USUAL_DAYS = 60;
/** Who has played at a venue in so many days, or has a spot there to come, is one of its players. */
export const VENUE_DAYS = 365;

export type AnnouncementKind = "news" | "important-announcement";

export type Audience =
  | { audience: "everybody" }
  | { audience: "played"; days: number }
  | { audience: "venue"; venueId: string };

/** How often emails are queued, and for how long those of one time are counted. */
export const TICK_MS = 5_000;
const TICKS_PER_MINUTE = 60_000 / TICK_MS;

interface Pace {
  perMinute: number;
  /** Queued in the last minute, and by the tick before this one, whichever process that was. */
  lastMinute: number;
  lastTick: number;
  /** Queued and not yet begun: as many as the mail server has fallen behind. */
  waiting: number;
}

/** Nobody is to be woken by news, and what is important goes at once: it may be about safety. */
export const isNewsWaiting = (now: Date, { sendsAtNight }: { sendsAtNight: boolean }): boolean =>
  !sendsAtNight && dueUntil(now) === null;

/** How many emails may be queued now, so that never more than `perMinute` are in a minute. */
export function allowance({ perMinute, lastMinute, lastTick, waiting }: Pace): number {
  const perTick = Math.ceil(perMinute / TICKS_PER_MINUTE);
  const free = Math.min(perTick - Math.max(lastTick, waiting), perMinute - lastMinute);
  return Math.max(0, free);
}

export function peopleText(count: number): string {
  return count === 1 ? "1 person" : `${count.toLocaleString("en-GB")} people`;
}
