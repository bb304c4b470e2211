import { dayAndTime, wallClock } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";

/** Hours before kick-off until which somebody who waits is booked, or asked. */
export const UNTIL_HOURS = [0, 1, 3, 6, 12, 24] as const;
export type UntilHours = (typeof UNTIL_HOURS)[number];
export const UNTIL_PRESET: UntilHours = 3;

/** Version of the texts that are agreed to: add one with every change of their meaning. */
export const AGREEMENT_VERSION = 2;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function notAfter(startsAt: Date, untilHours: number): Date {
  return new Date(startsAt.getTime() - untilHours * HOUR_MS);
}

const GRACE_MINUTES = 30;
// Apart from `SALE_TERMS`: how late a promotion may still be, whatever a cancellation costs.
const GRACE_HOURS = 24;

export function modeTerms(mode: WaitMode, priceCents: number) {
  if (mode === "ask") {
    return {
      label: "Ask me first",
      headline: "nothing is taken by itself",
      detail:
        "We hold the spot and ask you by email. After two unanswered offers we stop. From 22:00 " +
        "to 8:00 we ask only if kick-off is near.",
    };
  }
  return {
    label: "Book it for me",
    headline: takenText(priceCents),
    detail:
      `The spot is yours at once, and you get an email. Less than ${GRACE_HOURS} hours before ` +
      `kick-off you may give it back in full for ${GRACE_MINUTES} minutes, until an hour before.`,
  };
}

export const takenText = (priceCents: number) =>
  priceCents === 0 ? "it is free" : `${creditsCount(priceCents)} are taken`;

export function untilText(startsAt: Date, hours: number, now: Date): string {
  const at = dayAndTime(notAfter(startsAt, hours), now);
  if (hours === 0) return `kick-off, ${at}`;
  return `${hours} ${hours === 1 ? "hour" : "hours"} before, ${at}`;
}

export const waitingUntil = (until: string) => `Waiting until ${until}`;

export const MODE_LABEL = "When a spot opens";
export const UNTIL_LABEL = "Until when?";
export const UNTIL_HINT = "After that your place on the list lapses, and we tell you by email.";

export const COMMON_TERMS =
  "Leave the list at any time, for free, here or under My Games. If the game changes, we ask you " +
  "again first.";

/** A player's entry by what it needs of them: an answer to an offer or after two, consent, or nothing. */
export type EntryState = "offered" | "unanswered" | "changed" | "waiting";

interface Entry {
  offerExpiresAt: Date | null;
  isUnanswered: boolean;
  costsMore: boolean;
  needsConsent: boolean;
}

export function entryState(entry: Entry, now: Date): EntryState {
  if (entry.offerExpiresAt && entry.offerExpiresAt > now) return "offered";
  // One tap agrees again, but not to a price that was never shown.
  if (entry.isUnanswered && !entry.costsMore) return "unanswered";
  return entry.needsConsent ? "changed" : "waiting";
}

export const UNANSWERED_TEXT = "Two offers went unanswered. Still want a spot?";

interface Agreement {
  mode: WaitMode;
  untilHours: number;
  priceCents: number;
  startsAt: Date;
  now: Date;
}

export const WAITS_MAX = 10;

/** An offer cut shorter than this by a decision left no time to answer: it does not count. */
export const OFFER_COUNTS_MINUTES = 10;

/** After so many in a row without an answer, the player is not asked until they agree again. */
export const UNANSWERED_MAX = 2;

/** What a player agrees to, word for word as it is shown or folded. It is stored with the place. */
export function agreementText({ mode, untilHours, priceCents, startsAt, now }: Agreement): string {
  const { label, headline, detail } = modeTerms(mode, priceCents);
  const choice = `${MODE_LABEL}: ${label}, ${headline}.`;
  const until = `${waitingUntil(untilText(startsAt, untilHours, now))}.`;
  return [choice, until, detail, UNTIL_HINT, COMMON_TERMS].join(" ");
}

/** Every text that a form of this game can have shown, whatever is chosen in it. */
export function agreementTexts(terms: Omit<Agreement, "mode" | "untilHours">): string[] {
  return UNTIL_HOURS.flatMap((untilHours) =>
    (["auto", "ask"] as const).map((mode) => agreementText({ ...terms, mode, untilHours })),
  );
}

const [NIGHT, MORNING] = [22, 8];
const NEAR_HOURS = 16;

/** Nobody is asked at night, by Helsinki's clock, unless kick-off is within 16 hours. */
export function mayOffer(startsAt: Date, now: Date): boolean {
  if (startsAt.getTime() - now.getTime() <= NEAR_HOURS * HOUR_MS) return true;
  const hour = Number(wallClock(now).time.slice(0, 2));
  return hour >= MORNING && hour < NIGHT;
}

interface OfferLimits {
  startsAt: Date;
  notAfter: Date;
  /** Time of a decision to come, which counts those who are in by then. */
  decidesAt: Date | null;
}

/** 2 hours to answer, 30 minutes within 16 hours of kick-off, 10 in the last hour. */
export function offerExpiresAt(limits: OfferLimits, now: Date): Date {
  const { startsAt, notAfter: latest, decidesAt } = limits;
  const hours = (startsAt.getTime() - now.getTime()) / HOUR_MS;
  const minutes = hours > NEAR_HOURS ? 120 : hours >= 1 ? 30 : 10;
  const ends = [now.getTime() + minutes * MINUTE_MS, latest.getTime()];
  return new Date(Math.min(...ends, decidesAt?.getTime() ?? Infinity));
}

/** Booked from the list less than 24 hours before kick-off: free to cancel for 30 minutes, until an
 * hour before kick-off. Null if there is no time. */
export function freeCancelUntil(startsAt: Date, now: Date): Date | null {
  if (startsAt.getTime() - now.getTime() >= GRACE_HOURS * HOUR_MS) return null;
  const until = Math.min(now.getTime() + GRACE_MINUTES * MINUTE_MS, startsAt.getTime() - HOUR_MS);
  return until > now.getTime() ? new Date(until) : null;
}

export type Obstacle = PassedOver | "offer" | "consent" | "unanswered" | "night" | "decision";

const SILENT_OBSTACLES: Obstacle[] = ["offer", "consent", "unanswered", "night", "decision"];

/** What its player is notified of once; the others are known or pass by themselves. */
export function isNotified(obstacle: Obstacle): obstacle is PassedOver {
  return !SILENT_OBSTACLES.includes(obstacle);
}

export function ordinal(n: number): string {
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${n}${suffix[ORDINALS.select(n)]}`;
}
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

export const PROMOTE_REASON_MAX = 200;
