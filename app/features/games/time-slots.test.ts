import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, helsinkiWallClock } from "#app/platform/clock.ts";
import {
  endAfterMove,
  endDate,
  instantsOf,
  kickOff,
  missingTime,
  shiftSlot,
  type Slot,
  slotProblem,
  weeklySlots,
} from "./time-slots.ts";

const two = (n: number) => String(n).padStart(2, "0");
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
const date = fc.integer({ min: 0, max: 4_000 }).map((days) => addDays("2026-01-01", days));
const slot: fc.Arbitrary<Slot> = fc.record({ date, startTime: time, endTime: time });
const game = slot.filter(({ startTime, endTime }) => startTime !== endTime);
const weeks = fc.integer({ min: 2, max: 26 });

describe("a weekly series", () => {
  test("any date and time: seven days apart, the same time, whatever the clocks do", () => {
    fc.assert(
      fc.property(game, weeks, (first, count) => {
        const slots = weeklySlots(first, count);
        expect(slots).toHaveLength(count);
        for (const [n, each] of slots.entries()) {
          const apart = (Date.parse(each.date) - Date.parse(first.date)) / 86_400_000;
          expect([apart, each.startTime, each.endTime]).toEqual([
            7 * n,
            first.startTime,
            first.endTime,
          ]);
          const at = kickOff(each);
          const isMissing = { date: each.date, time: first.startTime };
          expect(at ? helsinkiWallClock(at) : missingTime(each)).toEqual(
            at ? `${each.date} ${first.startTime}:00` : isMissing,
          );
        }
      }),
    );
  });

  // 19:00 in Helsinki is 17:00 UTC in winter and 16:00 in summer.
  test.each([
    ["autumn 2026", "2026-10-22", ["16:00", "17:00"]],
    ["spring 2027", "2027-03-25", ["17:00", "16:00"]],
    ["autumn 2027", "2027-10-28", ["16:00", "17:00"]],
  ])("over the clock change of %s", (_, from, hours) => {
    const slots = weeklySlots({ date: from, startTime: "19:00", endTime: "20:30" }, 2);
    expect(slots.map((each) => kickOff(each)!.toISOString().slice(11, 16))).toEqual(hours);
  });
});

describe("the night when the clocks go forward", () => {
  const startsAt = (startTime: string, endTime = "05:00") =>
    missingTime({ date: "2027-03-28", startTime, endTime });

  test.each(["03:00", "03:30", "03:59"])("has no %s", (missing) => {
    expect(startsAt(missing)).toEqual({ date: "2027-03-28", time: missing });
  });

  test.each(["02:59", "04:00", "19:00"])("has a %s", (there) => {
    expect(startsAt(there)).toBeNull();
  });

  test("a game cannot end within the missing hour", () => {
    const late = { date: "2027-03-27", startTime: "22:00", endTime: "03:15" };
    expect(missingTime(late)).toEqual({ date: "2027-03-28", time: "03:15" });
  });
});

describe("shifting another game of the series", () => {
  test("a change shifted to itself is that change", () => {
    fc.assert(
      fc.property(game, game, (from, to) => {
        expect(shiftSlot(from, { from, to })).toEqual(to);
      }),
    );
  });

  test("by a day and half an hour, and as much longer, over midnight", () => {
    const from = { date: "2026-11-25", startTime: "19:00", endTime: "20:00" };
    const to = { date: "2026-11-26", startTime: "19:30", endTime: "21:00" };
    const other = { date: "2026-12-02", startTime: "23:45", endTime: "00:45" };
    expect(shiftSlot(other, { from, to })).toEqual({
      date: "2026-12-04",
      startTime: "00:15",
      endTime: "01:45",
    });
  });

  test("a shift that leaves no duration is not possible", () => {
    const from = { date: "2026-11-25", startTime: "19:00", endTime: "21:00" };
    const to = { date: "2026-11-25", startTime: "19:00", endTime: "20:00" };
    const other = { date: "2026-12-02", startTime: "19:00", endTime: "20:00" };
    expect(shiftSlot(other, { from, to })).toBeNull();
  });
});

describe("a slot", () => {
  const slot = { date: "2026-12-02", startTime: "19:00", endTime: "20:30" };
  test.each([
    ["2026-12-02T16:59:59.999Z", null],
    ["2026-12-02T17:00:00Z", { reason: "past", date: "2026-12-02" }],
  ])("at 19:00, asked at %s", (now, problem) => {
    expect(slotProblem(slot, new Date(now))).toEqual(problem);
  });

  // Helsinki had another offset until 1921.
  test.each(["1905-06-01", "1920-12-20", "2026-03-29"])("on %s is over", (day) => {
    const past = { date: day, startTime: "03:30", endTime: "05:00" };
    const problem = { reason: "past", date: day };
    expect(slotProblem(past, new Date("2026-12-02T10:00:00Z"))).toEqual(problem);
  });

  test.each([
    ["03:30", "05:00", { date: "2027-03-28", time: "03:30" }],
    ["02:30", "03:30", { date: "2027-03-28", time: "03:30" }],
    ["02:30", "04:30", null],
  ])("of the night of 23 hours from %s to %s", (startTime, endTime, missing) => {
    const night = { date: "2027-03-28", startTime, endTime };
    const now = new Date("2026-12-02T10:00:00Z");
    expect(missingTime(night)).toEqual(missing);
    expect(slotProblem(night, now)).toEqual(missing && { reason: "no-such-time", ...missing });
  });

  test("of an hour that comes twice is the second", () => {
    const twice = kickOff({ date: "2026-10-25", startTime: "03:30" });
    expect(twice).toEqual(new Date("2026-10-25T01:30:00Z"));
  });

  test("ends on the next day where its end is before its start", () => {
    expect(endDate(slot)).toBe("2026-12-02");
    expect(endDate({ ...slot, endTime: "18:59" })).toBe("2026-12-03");
    expect(endDate({ ...slot, endTime: "19:00" })).toBe("2026-12-02");
  });

  test.each([
    ["19:00", "20:30", "2026-12-02T17:00:00Z", "2026-12-02T18:30:00Z"],
    ["23:00", "00:30", "2026-12-02T21:00:00Z", "2026-12-02T22:30:00Z"],
  ])("from %s to %s lasts from %s to %s", (startTime, endTime, starts, ends) => {
    const instants = { startsAt: new Date(starts), endsAt: new Date(ends) };
    expect(instantsOf({ ...slot, startTime, endTime })).toEqual(instants);
  });

  test.each([
    ["start", "2027-03-28", "03:30", "05:00"],
    ["end", "2027-03-27", "23:00", "03:30"],
  ])("whose %s is in the hour that spring skips has no instants", (_, day, startTime, endTime) => {
    expect(() => instantsOf({ date: day, startTime, endTime })).toThrow(
      "a time that does not exist",
    );
  });

  const lengthened = (minutes: string) => ({ from: slot, to: { ...slot, endTime: minutes } });
  test.each([
    ["shorter by 89 minutes", "19:01", { endTime: "19:01" }],
    ["longer, to a minute less than a day", "18:59", { endTime: "18:59" }],
  ])("is %s", (_, endTime, expected) => {
    expect(shiftSlot(slot, lengthened(endTime))).toEqual({ ...slot, ...expected });
  });

  test.each([
    ["nothing is left", "20:00", "19:30"],
    ["less than nothing is left", "19:40", "19:30"],
    ["it lasts a day", "18:30", "21:00"],
    ["it lasts more than a day", "18:45", "21:00"],
  ])("cannot be shifted where %s", (_, ownEnd, to) => {
    const change = to === "19:30" ? { ...slot, endTime: "19:30" } : { ...slot, endTime: to };
    expect(shiftSlot({ ...slot, endTime: ownEnd }, { from: slot, to: change })).toBeNull();
  });
});

test.each([
  ["20:00", "20:30", "21:30", "22:00"],
  ["22:30", "23:00", "00:00", "00:30"],
  ["23:00", "22:00", "00:30", "23:30"],
])("a start moved from %s to %s moves the end from %s to %s", (from, to, endTime, moved) => {
  expect(endAfterMove({ from, to, endTime })).toBe(moved);
});
