import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, helsinkiDate, helsinkiWallClock } from "#app/platform/clock.ts";
import { eveningSlot, slotsOfThisMonth, type WallClockSlot } from "./past.ts";

/** The wall clock at which a slot ends; an end before its start is on the next day. */
function endOf({ date, start_time, end_time }: WallClockSlot): string {
  return `${end_time < start_time ? addDays(date, 1) : date} ${end_time}`;
}

function expectFiveOfThisMonth(now: Date) {
  const slots = slotsOfThisMonth(now);
  expect(slots).toHaveLength(5);
  for (const slot of slots) {
    // The database rejects a game that ends as it starts.
    expect(slot.end_time).not.toBe(slot.start_time);
    expect(endOf(slot).slice(0, 7)).toBe(helsinkiDate(now).slice(0, 7));
    expect(endOf(slot) <= helsinkiWallClock(now)).toBe(true);
  }
  const ends = slots.map(endOf);
  expect(ends).toEqual([...ends].sort());
}

test.each([
  "2026-11-21T16:00:00Z",
  "2026-11-30T21:50:00Z",
  // A month's first instant, first second, first minutes and first days, by Helsinki's clock.
  "2026-11-30T22:00:00Z",
  "2026-11-30T22:00:00.900Z",
  "2026-11-30T22:00:04Z",
  "2026-11-30T22:07:00Z",
  "2026-12-01T10:00:00Z",
  "2026-12-02T05:00:00Z",
  "2026-12-05T21:59:59Z",
  "2026-12-05T22:00:00Z",
  "2026-12-31T21:50:00Z",
  "2026-12-31T22:10:00Z",
  // The Sundays on which the clocks change.
  "2026-10-25T00:30:00Z",
  "2026-10-25T01:30:00Z",
  "2027-03-28T00:59:59Z",
  "2027-03-28T01:00:00Z",
  "2026-06-30T21:00:00Z",
])("five slots that ended this month, at %s", (now) => expectFiveOfThisMonth(new Date(now)));

test("five slots that ended this month, whenever it is", () => {
  const min = new Date("2026-01-01T00:00:00Z");
  const max = new Date("2030-01-01T00:00:00Z");
  fc.assert(fc.property(fc.date({ min, max, noInvalidDate: true }), expectFiveOfThisMonth));
});

test("in a month's first hours, whichever month", () => {
  const month = fc.integer({ min: 0, max: 59 });
  const seconds = fc.integer({ min: 0, max: 6 * 24 * 3_600 });
  fc.assert(
    fc.property(month, seconds, (n, later) => {
      // 22:00 UTC is midnight in winter and 1:00 in summer.
      const first = Date.UTC(2026, n, 0, 22);
      expectFiveOfThisMonth(new Date(first + later * 1_000));
    }),
  );
});

describe("an evening so many days from a date", () => {
  test.each([
    ["2026-12-01", -2, "2026-11-29"],
    ["2027-01-01", -12, "2026-12-20"],
    ["2026-10-26", -1, "2026-10-25"],
    ["2027-03-29", -1, "2027-03-28"],
    ["2028-03-01", -1, "2028-02-29"],
  ])("%s %i", (today, days, date) => {
    expect(eveningSlot(today, days)).toEqual({
      date,
      start_time: "18:00:00",
      end_time: "19:30:00",
    });
  });
});
