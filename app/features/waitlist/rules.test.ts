import { describe, expect, test } from "vitest";
import { hoursLater, NOW } from "#test/fixtures.ts";
import {
  agreementText,
  freeCancelUntil,
  isNotified,
  mayOffer,
  notAfter,
  offerExpiresAt,
  ordinal,
  UNTIL_HOURS,
  UNTIL_PRESET,
} from "./rules.ts";

const MINUTE = 1 / 60;
const hoursFrom = (start: Date, end: Date) => (end.getTime() - start.getTime()) / 3_600_000;

test("a place lapses at kick-off or so many hours before it; the preset is 3", () => {
  expect(UNTIL_HOURS.map((hours) => hoursFrom(NOW, notAfter(hoursLater(48), hours)))).toEqual([
    48, 47, 45, 42, 36, 24,
  ]);
  expect(UNTIL_PRESET).toBe(3);
});

describe("what is agreed to", () => {
  const common =
    "After that your place on the list lapses, and we tell you by email. Leave the list at any " +
    "time, for free, here or under My Games. If the game changes, we ask you again first.";
  const grace =
    "The spot is yours at once, and you get an email. Less than 24 hours before kick-off you may " +
    "give it back in full for 30 minutes, until an hour before.";
  test.each([
    [
      { mode: "auto" as const, untilHours: 3, priceCents: 1_000 },
      `When a spot opens: Book it for me, 10 credits are taken. Waiting until 3 hours before, Mon 09:00. ${grace}`,
    ],
    [
      { mode: "auto" as const, untilHours: 0, priceCents: 0 },
      `When a spot opens: Book it for me, it is free. Waiting until kick-off, Mon 12:00. ${grace}`,
    ],
    [
      { mode: "ask" as const, untilHours: 1, priceCents: 1_000 },
      "When a spot opens: Ask me first, nothing is taken by itself. Waiting until 1 hour before, Mon 11:00. " +
        "We hold the spot and ask you by email. After two unanswered offers we stop. From 22:00 to " +
        "8:00 we ask only if kick-off is near.",
    ],
  ])("%o", (agreement, text) => {
    const full = agreementText({ ...agreement, startsAt: hoursLater(48), now: NOW });
    expect(full).toBe(`${text} ${common}`);
  });
});

describe("an offer is held for", () => {
  test.each([
    ["2 hours, days ahead", 48, 2],
    ["2 hours, just above 16 hours ahead", 16 + MINUTE, 2],
    ["30 minutes, exactly 16 hours ahead", 16, 0.5],
    ["30 minutes, exactly an hour ahead", 1, 0.5],
    ["10 minutes, just below an hour ahead", 1 - MINUTE, 10 * MINUTE],
    ["no longer than until kick-off", 5 * MINUTE, 5 * MINUTE],
  ])("%s", (_, ahead, held) => {
    const startsAt = hoursLater(ahead);
    const until = offerExpiresAt({ startsAt, notAfter: startsAt, decidesAt: null }, NOW);
    expect(until).toEqual(hoursLater(held));
  });

  test("no longer than the time that the player chose", () => {
    const limits = { startsAt: hoursLater(25), notAfter: hoursLater(1), decidesAt: null };
    const until = offerExpiresAt(limits, NOW);
    expect(until).toEqual(hoursLater(1));
  });

  test("no longer than until it is decided who plays", () => {
    const startsAt = hoursLater(25);
    const limits = { startsAt, notAfter: startsAt, decidesAt: hoursLater(0.5) };
    expect(offerExpiresAt(limits, NOW)).toEqual(hoursLater(0.5));
  });
});

describe("an offer begins by day, by Helsinki's clock", () => {
  const kickOff = new Date("2026-12-24T17:00:00Z");
  test.each([
    ["21:59", "2026-11-21T19:59:00Z", true],
    ["22:00", "2026-11-21T20:00:00Z", false],
    ["07:59", "2026-11-22T05:59:00Z", false],
    ["08:00", "2026-11-22T06:00:00Z", true],
    // In summer Helsinki is three hours ahead.
    ["22:00 in July", "2026-07-21T19:00:00Z", false],
    ["08:00 in July", "2026-07-21T05:00:00Z", true],
  ])("%s", (_, now, may) => expect(mayOffer(kickOff, new Date(now))).toBe(may));

  test("or at night, when kick-off is within 16 hours", () => {
    const night = new Date("2026-11-21T20:00:00Z");
    const ahead = (minutes: number) => new Date(night.getTime() + minutes * 60_000);
    expect(mayOffer(ahead(16 * 60), night)).toBe(true);
    expect(mayOffer(ahead(16 * 60 + 1), night)).toBe(false);
  });
});

describe("a late promotion can be given back for its full price", () => {
  test.each([
    ["not at all, 24 hours ahead: the terms suffice", 24, null],
    ["for 30 minutes below that", 24 - MINUTE, 0.5],
    ["until an hour before kick-off", 1.25, 0.25],
    ["not at all within that hour", 1, null],
  ])("%s", (_, ahead, hours) => {
    expect(freeCancelUntil(hoursLater(ahead), NOW)).toEqual(hours && hoursLater(hours));
  });
});

test("what passes by itself is not notified", () => {
  const obstacles = [
    "credits",
    "debt",
    "suspended",
    "busy",
    "consent",
    "night",
    "decision",
  ] as const;
  expect(obstacles.filter(isNotified)).toEqual(["credits", "debt", "suspended", "busy"]);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [21, "21st"],
  [102, "102nd"],
])("%i is the %s", (n, text) => expect(ordinal(n)).toBe(text));
