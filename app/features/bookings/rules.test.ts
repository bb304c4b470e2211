import { describe, expect, test } from "vitest";
import {
  CANCELLATION_POLICY,
  cancelQuote,
  cancelTerms,
  isCancellable,
  refundCents,
  refundDeadline,
} from "./rules.ts";

const SOLD = { priceCents: 1_000, refundHours: 24, refundFeeCents: 99 };
const FREE = { ...SOLD, priceCents: 0 };
// Thursday, 19:00 in Helsinki.
const KICK_OFF = new Date("2026-11-26T17:00:00Z");
const before = (hours: number, seconds = 0) =>
  new Date(KICK_OFF.getTime() - hours * 3_600_000 - seconds * 1_000);

describe("refund", () => {
  // spec: 9.16, 9.17
  test.each([
    [before(24, 1), 901],
    [before(24), 901],
    [before(24, -0.001), 0],
    [before(24, -1), 0],
    [before(48), 901],
    [before(0), 0],
    [before(-1), 0],
  ])("%o gives %i cents", (now, cents) => {
    expect(refundCents(SOLD, KICK_OFF, now)).toBe(cents);
  });

  test("a price of 0 gives 0 back, and a fee above the price never takes", () => {
    expect(refundCents(FREE, KICK_OFF, before(100))).toBe(0);
    expect(refundCents({ ...SOLD, priceCents: 50 }, KICK_OFF, before(100))).toBe(0);
  });

  test("the terms are the booking's own", () => {
    const sold = { priceCents: 1_200, refundHours: 48, refundFeeCents: 200 };
    expect(refundCents(sold, KICK_OFF, before(47))).toBe(0);
    expect(refundCents(sold, KICK_OFF, before(48))).toBe(1_000);
  });

  test.each([
    // The night that has 25 hours, and the one that has 23; the game is at 18:00 both times.
    ["2026-10-25T16:00:00Z", "2026-10-24T16:00:00Z", "Sat 19:00"],
    ["2027-03-28T15:00:00Z", "2027-03-27T15:00:00Z", "Sat 17:00"],
  ])("hours are elapsed hours across a change of the clocks (%s)", (start, deadline, words) => {
    const kickOff = new Date(start);
    expect(refundDeadline(kickOff).toISOString()).toBe(deadline.replace("Z", ".000Z"));
    expect(refundCents(SOLD, kickOff, new Date(deadline))).toBe(901);
    expect(refundCents(SOLD, kickOff, new Date(Date.parse(deadline) + 1_000))).toBe(0);
    expect(cancelTerms(SOLD, kickOff, new Date(deadline))).toBe(`9.01 credits back until ${words}`);
  });
});

// spec: 4.25
test.each([
  ["Paid", before(0, 1), true],
  ["Paid", before(0), false],
  ["Paid", before(0, -1), false],
  ["Unpaid", before(5), false],
  ["Refunded", before(5), false],
  ["Cancelled", before(5), false],
])("%s at %o can be cancelled: %s", (paymentStatus, now, result) => {
  expect(isCancellable({ paymentStatus, startsAt: KICK_OFF }, now)).toBe(result);
});

// spec: 9.18
test.each([
  [SOLD, before(30), "You'll get 9.01 credits back."],
  [
    SOLD,
    before(23),
    "You won't get credits back: cancelling with a refund was possible until Wed 19:00.",
  ],
  [
    FREE,
    before(30),
    "This was a free game. Cancelling it is irreversible: your free session stays used.",
  ],
])("the prompt says what this cancellation does (%#)", (terms, now, words) => {
  expect(cancelQuote(terms, KICK_OFF, now)).toBe(words);
});

test.each([
  [SOLD, before(24), "9.01 credits back until Wed 19:00"],
  [SOLD, before(24, -1), "No refund any more"],
  [FREE, before(30), "Cancelling a free game is irreversible"],
])("a ticket says how it can be cancelled (%#)", (terms, now, words) => {
  expect(cancelTerms(terms, KICK_OFF, now)).toBe(words);
});

// spec: 9.19
test("the policy names one rule, and no other number of hours", () => {
  expect(CANCELLATION_POLICY).toEqual([
    "A paid game cancelled at least 24 hours before kick-off is refunded in full minus a €0.99 fee.",
    "Under 24 hours before kick-off it is non-refundable.",
    "Cancelling a free game is irreversible.",
  ]);
});

test("what was paid to the organiser is no free session, and gives no credits back", () => {
  const terms = { priceCents: 0, refundHours: 24, refundFeeCents: 0, isPaidElsewhere: true };
  const now = new Date(0);
  const startsAt = new Date(48 * 3_600_000);
  expect(cancelTerms(terms, startsAt, now)).toBe("No credits were taken for this game");
  expect(cancelQuote(terms, startsAt, now)).toMatch(/^No credits were taken .* none come back/);
});
