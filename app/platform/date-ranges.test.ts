import { expect, test } from "vitest";
import { monthOf, weeksUntil } from "./date-ranges.server.ts";

test.each([
  // A week ends with Helsinki's Sunday, in winter, in summer and on the days of 25 and 23 hours.
  ["2026-11-21T10:00:00Z", "2026-11-16"],
  ["2026-11-22T21:59:59Z", "2026-11-16"],
  ["2026-11-22T22:00:00Z", "2026-11-23"],
  ["2026-07-05T20:59:59Z", "2026-06-29"],
  ["2026-07-05T21:00:00Z", "2026-07-06"],
  ["2026-10-25T21:59:59Z", "2026-10-19"],
  ["2026-10-25T22:00:00Z", "2026-10-26"],
  ["2027-03-28T20:59:59Z", "2027-03-22"],
  ["2027-03-28T21:00:00Z", "2027-03-29"],
])("%s is in the week of %s, which ends 7 days later", (now, monday) => {
  const until = new Date(Date.parse(monday) + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(weeksUntil(new Date(now), 1)).toEqual([{ from: monday, until }]);
});

test("weeks follow one another, the oldest first, over the new year", () => {
  expect(weeksUntil(new Date("2027-01-06T12:00:00Z"), 3)).toEqual([
    { from: "2026-12-21", until: "2026-12-28" },
    { from: "2026-12-28", until: "2027-01-04" },
    { from: "2027-01-04", until: "2027-01-11" },
  ]);
});

test.each([
  ["2026-11-30T21:59:59Z", "2026-11-01", "2026-12-01"],
  ["2026-11-30T22:00:00Z", "2026-12-01", "2027-01-01"],
  ["2026-06-30T20:59:59Z", "2026-06-01", "2026-07-01"],
  ["2026-06-30T21:00:00Z", "2026-07-01", "2026-08-01"],
  ["2026-02-14T12:00:00Z", "2026-02-01", "2026-03-01"],
  ["2028-02-14T12:00:00Z", "2028-02-01", "2028-03-01"],
])("%s is in the month from %s until %s", (now, from, until) => {
  expect(monthOf(new Date(now))).toEqual({ from, until });
});
