import { describe, expect, test } from "vitest";
import {
  CANCELLATION_POLICY,
  cancelQuote,
  cancelTerms,
  distinctNotes,
  isCancellable,
  isInTime,
  isLive,
  refundOfCancelledGame,
  refundOfRemoval,
  soldColumns,
  statusAfterRefund,
  creditsBackCents,
  firstRiseHours,
  refundDeadline,
  soldTerms,
  waitingText,
} from "./rules.ts";
import {
  noShowEnds,
  noShowsSince,
  noShowsText,
  canMark,
  takesPlace,
} from "#app/features/roster/rules.ts";
import { withFewerText } from "#app/features/games/minimum-rules.ts";

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
    expect(creditsBackCents(SOLD, KICK_OFF, now)).toBe(cents);
  });

  test("a price of 0 gives 0 back, and a fee above the price never takes", () => {
    expect(creditsBackCents(FREE, KICK_OFF, before(100))).toBe(0);
    expect(creditsBackCents({ ...SOLD, priceCents: 50 }, KICK_OFF, before(100))).toBe(0);
  });

  test("the booking's own terms count", () => {
    const sold = { priceCents: 1_200, refundHours: 48, refundFeeCents: 200 };
    expect(creditsBackCents(sold, KICK_OFF, before(47))).toBe(0);
    expect(creditsBackCents(sold, KICK_OFF, before(48))).toBe(1_000);
  });

  test.each([
    // The night that has 25 hours, and the one that has 23; the game is at 18:00 both times.
    ["2026-10-25T16:00:00Z", "2026-10-24T16:00:00Z", "Sat 19:00"],
    ["2027-03-28T15:00:00Z", "2027-03-27T15:00:00Z", "Sat 17:00"],
  ])("hours are elapsed hours across a change of the clocks (%s)", (start, deadline, words) => {
    const kickOff = new Date(start);
    expect(refundDeadline(kickOff, 24).toISOString()).toBe(deadline.replace("Z", ".000Z"));
    expect(creditsBackCents(SOLD, kickOff, new Date(deadline))).toBe(901);
    expect(creditsBackCents(SOLD, kickOff, new Date(Date.parse(deadline) + 1_000))).toBe(0);
    expect(cancelTerms(SOLD, kickOff, new Date(deadline))).toBe(
      `Cancel by ${words} to get 9.01 credits back`,
    );
  });
});

test("a moved game may be left for free until kick-off, also by who was promoted late", () => {
  const moved = { ...SOLD, refundHours: 0, refundFeeCents: 0, freeUntil: before(20) };
  for (const now of [before(21), before(20), before(1)]) {
    expect(cancelTerms(moved, KICK_OFF, now)).toBe("Free cancellation until Thu 19:00");
    const monthsAhead = new Date(KICK_OFF.getTime() - 90 * 24 * 3_600_000);
    expect(cancelTerms(moved, KICK_OFF, monthsAhead)).toBe(
      "Free cancellation until Thu Nov 26, 19:00",
    );
    expect(creditsBackCents(moved, KICK_OFF, now)).toBe(1_000);
  }
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
    "Nothing comes back now. 9.01 credits come back if somebody takes your spot before kick-off. " +
      "3 people are waiting.",
  ],
  [{ ...SOLD, freeUntil: before(22) }, before(23), "You'll get 10 credits back."],
  [
    { ...SOLD, priceCents: 99 },
    before(23),
    "You won't get credits back: cancelling with a refund was possible until Wed 19:00.",
  ],
  [{ ...FREE, freeUntil: before(22) }, before(23), "You'll get your free session back."],
  [
    FREE,
    before(30),
    "This game is free. Cancelling is irreversible: you won't get another free session.",
  ],
])("the prompt says what this cancellation does (%#)", (terms, now, words) => {
  expect(cancelQuote(terms, KICK_OFF, now, 3)).toBe(words);
});

test.each([
  [SOLD, before(24), "Cancel by Wed 19:00 to get 9.01 credits back"],
  [SOLD, before(24, -1), "Cancel, and 9.01 credits come back once somebody takes your spot"],
  [SOLD, before(0), "No refund any more"],
  [{ ...SOLD, freeUntil: before(22) }, before(23), "Free cancellation until Wed 21:00"],
  [{ ...FREE, freeUntil: before(22) }, before(23), "Free cancellation until Wed 21:00"],
  [{ ...SOLD, priceCents: 99 }, before(23), "No refund any more"],
  [FREE, before(30), "Cancelling a free game is irreversible"],
])("a ticket says how it can be cancelled (%#)", (terms, now, words) => {
  expect(cancelTerms(terms, KICK_OFF, now)).toBe(words);
});

test("a game that was moved can be cancelled for free until kick-off", () => {
  const terms = { priceCents: 1_000, refundHours: 0, refundFeeCents: 0 };
  expect(cancelTerms(terms, KICK_OFF, before(0))).toMatch(/^Free cancellation until /);
  expect(cancelTerms(terms, KICK_OFF, new Date(KICK_OFF.getTime() + 1))).toBe("No refund any more");
});

// spec: 9.19
test("the policy names one rule, and no other number of hours", () => {
  expect(CANCELLATION_POLICY).toEqual([
    "A paid game cancelled at least 24 hours before kick-off is refunded in full minus a €0.99 fee.",
    "Under 24 hours before kick-off it is non-refundable.",
    "Cancelling a free game is irreversible.",
    "If somebody takes a spot that was given back late, its price minus the fee comes back by itself.",
  ]);
});

test("a seat paid to the organiser is no free session and gives no credits back", () => {
  const terms = { priceCents: 0, refundHours: 24, refundFeeCents: 0, isUncharged: true };
  const now = new Date(0);
  const startsAt = new Date(48 * 3_600_000);
  expect(cancelTerms(terms, startsAt, now)).toBe("No credits were taken for this game");
  const none = "No credits were taken for this game, so none come back.";
  expect(cancelQuote(terms, startsAt, now)).toBe(
    `${none} What you paid by hand, the organiser gives back.`,
  );
  const late = new Date(30 * 3_600_000);
  expect(cancelQuote(terms, startsAt, late)).toBe(
    `${none} What you paid is between you and the organiser.`,
  );
});

const row = { price_eur: "10.00", refund_hours: 24, refund_fee_eur: "0.99" };
test.each([
  ["10.00", false, false],
  ["0.00", true, false],
  ["0.00", false, true],
])("%s, free session: %s: uncharged: %s", (price_eur, isFree, isUncharged) => {
  const priceCents = price_eur === "0.00" ? 0 : 1_000;
  const sold = { priceCents, refundHours: 24, refundFeeCents: 99, isUncharged };
  const terms = { ...sold, freeUntil: null };
  expect(soldTerms({ ...row, price_eur, uses_free_session: isFree })).toEqual(terms);
});

const startsAt = new Date("2026-11-26T17:00:00Z");
test.each([
  [0, 0, "Free cancellation until Thu 19:00"],
  [0, 99, "Cancel by Thu 19:00 to get 9.01 credits back"],
  [24, 0, "Cancel by Wed 19:00 to get 10 credits back"],
])("refunded until %i hours before, less %i cents: %s", (refundHours, refundFeeCents, words) => {
  const terms = { priceCents: 1_000, refundHours, refundFeeCents };
  expect(cancelTerms(terms, startsAt, new Date("2026-11-21T10:00:00Z"))).toBe(words);
});

test.each([
  ["Paid", true],
  ["Unpaid", true],
  ["Refunded", false],
  ["Cancelled", false],
] as const)("a booking that is %s holds a seat: %s", (status, expected) => {
  expect(isLive(status)).toBe(expected);
});

test.each([
  [{ 24: 99 }, 24],
  [{ 24: 99, 48: 0 }, 48],
  [{ 48: 99, 24: 99, 6: 300 }, 24],
])("of the fees %j by hours left, cancelling costs more from %i hours on", (fees, hours) => {
  const steps = Object.entries(fees).map(([until, feeCents]) => ({ until: +until, feeCents }));
  expect(firstRiseHours(steps)).toBe(hours);
});

test("a seat is stored with the price and the terms of its sale", () => {
  expect(soldColumns(1_250)).toEqual({
    price_eur: "12.50",
    refund_hours: 24,
    refund_fee_eur: "0.99",
    terms: '[{"until":24,"feeCents":99}]',
  });
});

test.each([
  ["Paid", 1_000],
  ["Unpaid", 0],
  ["Refunded", 0],
  ["Cancelled", 0],
] as const)("a cancelled game refunds a seat that is %s with %i cents", (paymentStatus, cents) => {
  for (const usesFreeSession of [true, false]) {
    const refund = { creditsBackCents: cents, isFreeSessionBack: usesFreeSession };
    const seat = { paymentStatus, priceCents: 1_000, usesFreeSession };
    expect(refundOfCancelledGame(seat)).toEqual(refund);
    expect(refundOfRemoval(seat, true)).toEqual(refund);
  }
});

test.each([true, false])(
  "a removal without a refund leaves the free session as it is: %s",
  (usesFreeSession) => {
    const seat = { paymentStatus: "Paid", priceCents: 1_000, usesFreeSession } as const;
    const nothing = { creditsBackCents: 0, isFreeSessionBack: false };
    expect(refundOfRemoval(seat, false)).toEqual(nothing);
  },
);

test.each([
  [1, "Refunded"],
  [0, "Cancelled"],
])("after a refund of %i cents the booking is %s", (cents, status) => {
  expect(statusAfterRefund(cents)).toBe(status);
});

test("players can be marked from an hour before kick-off on, not a millisecond earlier", () => {
  const startsAt = new Date("2026-11-21T17:00:00Z");
  const at = (ms: number) => canMark({ startsAt }, new Date(startsAt.getTime() + ms));
  expect([-3_600_001, -3_600_000, 0, 3_600_000].map(at)).toEqual([false, true, true, true]);
});

test.each([
  ["Draft", false],
  ["Published", true],
  ["Completed", true],
  ["Cancelled", false],
] as const)("%s: the game takes place: %s", (status, expected) => {
  expect(takesPlace({ status })).toBe(expected);
});

test.each([
  [0, "Nobody is waiting yet."],
  [1, "1 person is waiting."],
  [2, "2 people are waiting."],
])("with %i on the waitlist: %s", (waiting, words) => {
  expect(waitingText(waiting)).toBe(words);
});

test.each([
  ["a free session", 0, "your free session comes back."],
  ["a price", 1_000, "you get 10 credits back."],
  ["the price of one credit", 100, "you get 1 credit back."],
  ["a price that is not known", null, "you get your credits back."],
])("with too few players, for %s: %s", (_, priceCents, words) => {
  expect(withFewerText(priceCents)).toBe(`With fewer it is cancelled, and ${words}`);
});

test("notes that are empty or say the same are left out", () => {
  expect(distinctNotes(["Bring both shirts.", "", "Door B.", "Door B."])).toEqual([
    "Bring both shirts.",
    "Door B.",
  ]);
});

test("a no-show counts for 90 days from kick-off", () => {
  const ends = noShowEnds(KICK_OFF);
  expect(ends).toEqual(new Date("2027-02-24T17:00:00Z"));
  expect(noShowsSince(ends)).toEqual(KICK_OFF);
  expect([1, 2].map(noShowsText)).toEqual(["1 no-show", "2 no-shows"]);
});

test("a late promotion can be given back up to its last instant, and no later", () => {
  const late = { ...SOLD, freeUntil: before(22) };
  const at = [before(22, 1), before(22), before(22, -0.001)];
  expect(at.map((now) => isInTime(late, KICK_OFF, now))).toEqual([true, true, false]);
  expect(at.map((now) => creditsBackCents(late, KICK_OFF, now))).toEqual([1_000, 1_000, 0]);
});
