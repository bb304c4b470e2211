import { wallClock } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";

/** Hours before kick-off until which somebody who waits is booked, or asked. */
export const UNTIL_HOURS = [0, 1, 3, 6, 12, 24] as const;
export type UntilHours = (typeof UNTIL_HOURS)[number];
export const UNTIL_PRESET: UntilHours = 3;

/** Of the texts that are agreed to: count it up with every change of their meaning. */
export const AGREEMENT_VERSION = 1;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function notAfter(startsAt: Date, untilHours: number): Date {
  return new Date(startsAt.getTime() - untilHours * HOUR_MS);
}

interface Agreement {
  mode: WaitMode;
  untilHours: number;
  priceCents: number;
}

/** What joining the waitlist agrees to, as the dialog says it. It is stored with the place. */
export function agreementText({ mode, untilHours, priceCents }: Agreement): string {
  const until =
    untilHours === 0 ? "until kick-off" : `until ${hoursText(untilHours)} before kick-off`;
  if (mode === "ask")
    return `When a spot opens we ask you first, ${until}. Nothing is taken by itself.`;
  const taken = priceCents === 0 ? "it is free" : `${creditsCount(priceCents)} are taken`;
  return `When a spot opens it is yours, and ${taken}, ${until}. You can leave the list at any time.`;
}

const hoursText = (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`);

const [NIGHT, MORNING] = [22, 8];
const NEAR_HOURS = 16;

/** Nobody is asked at night, by Helsinki's clock, unless kick-off is within 16 hours. */
export function mayOffer(startsAt: Date, now: Date): boolean {
  if (startsAt.getTime() - now.getTime() <= NEAR_HOURS * HOUR_MS) return true;
  const hour = Number(wallClock(now).time.slice(0, 2));
  return hour >= MORNING && hour < NIGHT;
}

/** 2 hours to answer, 30 minutes within 16 hours of kick-off, 10 in the last hour. */
export function offerExpiresAt(
  { startsAt, notAfter: latest }: { startsAt: Date; notAfter: Date },
  now: Date,
): Date {
  const hours = (startsAt.getTime() - now.getTime()) / HOUR_MS;
  const minutes = hours > NEAR_HOURS ? 120 : hours >= 1 ? 30 : 10;
  return new Date(Math.min(now.getTime() + minutes * MINUTE_MS, latest.getTime()));
}

export const GRACE_MINUTES = 30;
export const GRACE_HOURS = 24;

/**
 * Who is booked from the list less than 24 hours before kick-off may give the spot back for its full
 * price until then: for 30 minutes, and until an hour before kick-off. Null where there is no time.
 */
export function freeCancelUntil(startsAt: Date, now: Date): Date | null {
  if (startsAt.getTime() - now.getTime() >= GRACE_HOURS * HOUR_MS) return null;
  const until = Math.min(now.getTime() + GRACE_MINUTES * MINUTE_MS, startsAt.getTime() - HOUR_MS);
  return until > now.getTime() ? new Date(until) : null;
}

/** Why somebody who waits cannot have a spot now. */
export type Obstacle = PassedOver | "consent" | "night";

/** What its player is told of once; the others are known or pass by themselves. */
export function isTold(obstacle: Obstacle): obstacle is PassedOver {
  return obstacle !== "consent" && obstacle !== "night";
}

/** "2nd" */
export function ordinal(n: number): string {
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${n}${suffix[ORDINALS.select(n)]}`;
}
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
