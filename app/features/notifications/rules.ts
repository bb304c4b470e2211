import { wallClock } from "#app/platform/clock.ts";

/** One of a kind: the id of what it is about, and what tells it from an earlier one. */
export interface NoticeTarget {
  userId: string;
  subjectId: string;
  version: string;
}

const [NIGHT, MORNING] = [22, 8];
const HOUR_MS = 3_600_000;

/** Sends now what is due up to here. Null at night (22:00 to 8:00 in Helsinki); in the hour before,
 * also what falls into the night, so that nobody reads of a past deadline. */
export function dueUntil(now: Date): Date | null {
  const hour = Number(wallClock(now).time.slice(0, 2));
  if (hour >= NIGHT || hour < MORNING) return null;
  const isLastHour = hour === NIGHT - 1;
  return isLastHour ? new Date(now.getTime() + (24 - NIGHT + MORNING + 1) * HOUR_MS) : now;
}

export const NEAR_HOURS = 12;

interface Span {
  startsAt: Date;
  endsAt: Date;
}

/** A game that begins so soon, or is being played, ignores quiet hours. */
export const isNear = ({ startsAt, endsAt }: Span, now: Date): boolean =>
  startsAt.getTime() - now.getTime() < NEAR_HOURS * HOUR_MS && endsAt > now;

/** For what cannot wait until it is due: seconds until 8:00 at night, 0 if a game is near. */
export function quietSeconds(now: Date, games: Span[]): number {
  if (dueUntil(now)) return 0;
  if (games.some((game) => isNear(game, now))) return 0;
  const [hour = 0, minute = 0, second = 0] = wallClock(now).time.split(":").map(Number);
  const seconds = ((24 + MORNING - hour) % 24) * 3_600 - minute * 60 - second;
  // The clocks may change by then.
  const then = Number(wallClock(new Date(now.getTime() + seconds * 1_000)).time.slice(0, 2));
  return seconds + (MORNING - then) * 3_600;
}

/** Devices of a player; the oldest goes when there is one more. */
export const DEVICES_MAX = 10;

// Google (Chrome, Edge on phones, Opera, Samsung), Mozilla, Apple and Microsoft. The server sends
// requests to these addresses, so it takes no others.
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "push.apple.com",
  "notify.windows.com",
];

export function isPushService(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url?.protocol !== "https:" || url.port || url.username || url.password) return false;
  return PUSH_SERVICES.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
}
