import { expect, test } from "vitest";
import {
  addDays,
  dateAndTime,
  dayAndTime,
  helsinkiDate,
  helsinkiIso,
  helsinkiWallClock,
  isDate,
  readDate,
  readTime,
  formatMoment,
  monthDay,
  monthDayYear,
  shortWeekday,
  timeText,
  upperLongDate,
  upperWeekday,
  utcDate,
  wallClock,
  weekday,
  weekdayAndTime,
} from "./clock.ts";

test.each([
  // Around midnight in winter and in summer.
  ["2026-11-21T21:59:59Z", "2026-11-21 23:59:59", "2026-11-21T23:59:59+02:00"],
  ["2026-11-21T22:00:00Z", "2026-11-22 00:00:00", "2026-11-22T00:00:00+02:00"],
  ["2026-07-01T20:59:59Z", "2026-07-01 23:59:59", "2026-07-01T23:59:59+03:00"],
  ["2026-07-01T21:00:00Z", "2026-07-02 00:00:00", "2026-07-02T00:00:00+03:00"],
  ["2026-12-31T22:00:00Z", "2027-01-01 00:00:00", "2027-01-01T00:00:00+02:00"],
  // 03:30 twice on the night of 25 hours.
  ["2026-10-25T00:30:00Z", "2026-10-25 03:30:00", "2026-10-25T03:30:00+03:00"],
  ["2026-10-25T01:30:00Z", "2026-10-25 03:30:00", "2026-10-25T03:30:00+02:00"],
  // No 03:00 to 03:59 on the night of 23 hours.
  ["2027-03-28T00:59:59Z", "2027-03-28 02:59:59", "2027-03-28T02:59:59+02:00"],
  ["2027-03-28T01:00:00Z", "2027-03-28 04:00:00", "2027-03-28T04:00:00+03:00"],
])("%s is %s in Helsinki", (utc, local, iso) => {
  const instant = new Date(utc);
  expect(helsinkiWallClock(instant)).toBe(local);
  expect(Object.values(wallClock(instant)).join(" ")).toBe(local);
  expect(helsinkiDate(instant)).toBe(local.slice(0, 10));
  expect(helsinkiIso(instant)).toBe(iso);
  expect(new Date(iso)).toEqual(instant);
  expect(utcDate(instant)).toBe(utc.slice(0, 10));
});

// spec: 2.47, 2.64, 9.32
test.each([
  ["2026-11-21", "Nov 21", "Nov 21, 2026", "SATURDAY", "SATURDAY, NOVEMBER 21, 2026"],
  ["2027-03-01", "Mar 1", "Mar 1, 2027", "MONDAY", "MONDAY, MARCH 1, 2027"],
  ["2028-02-29", "Feb 29", "Feb 29, 2028", "TUESDAY", "TUESDAY, FEBRUARY 29, 2028"],
])("the words of %s", (date, short, withYear, upper, long) => {
  expect(monthDay(date)).toBe(short);
  expect(monthDayYear(date)).toBe(withYear);
  expect(upperWeekday(date)).toBe(upper);
  expect(weekday(date).toUpperCase()).toBe(upper);
  expect(shortWeekday(date)).toBe(weekday(date).slice(0, 3));
  expect(upperLongDate(date)).toBe(long);
});

test("weekday and time go by Helsinki's clock", () => {
  expect(weekdayAndTime(new Date("2026-11-21T22:30:00Z"))).toBe("Sun 00:30");
  expect(formatMoment(new Date("2026-11-21T22:30:00Z"))).toBe("Nov 22, 2026, 00:30");
});

test.each([
  ["2026-11-21T16:00:00Z", "Sat 18:00"],
  ["2026-11-27T21:59:00Z", "Fri 23:59"],
  ["2026-11-27T22:00:00Z", "Sat Nov 28, 00:00"],
])("%s, seen on a Saturday, is %s", (instant, text) => {
  expect(dayAndTime(new Date(instant), new Date("2026-11-21T10:00:00Z"))).toBe(text);
});

test.each([
  ["2026-11-21T15:42:00Z", "17:42"],
  ["2026-11-20T22:00:00Z", "00:00"],
  ["2026-11-20T21:59:00Z", "Fri 23:59"],
  ["2026-11-21T22:00:00Z", "Sun 00:00"],
  ["2026-12-03T17:00:00Z", "Thu Dec 3, 19:00"],
])("%s, read in Helsinki on Nov 21, is %s", (instant, words) => {
  expect(timeText(new Date(instant), new Date("2026-11-21T10:00:00Z"))).toBe(words);
});

test("a date and a time, as the database writes it too, are one text", () => {
  for (const time of ["20:00", "20:00:00"]) {
    expect(dateAndTime({ date: "2026-11-26", time })).toBe("Thu, Nov 26, 20:00");
  }
});

test.each([
  ["2026-11-21", 10, "2026-12-01"],
  ["2028-02-28", 1, "2028-02-29"],
  // Over the nights of 25 and of 23 hours.
  ["2026-10-24", 2, "2026-10-26"],
  ["2027-03-27", 2, "2027-03-29"],
  ["2027-01-01", -1, "2026-12-31"],
])("%s and %i days is %s", (date, days, expected) => {
  expect(addDays(date, days)).toBe(expected);
});

// spec: 3.2, 5.23
test.each([
  ["2024-02-29", true],
  ["2025-02-29", false],
  ["2025-13-01", false],
  ["2025-04-31", false],
  ["25-04-01", false],
  ["2025-4-1", false],
  ["2025-04", false],
  ["+012025-04-01", false],
  ["0000-01-01", false],
  ["0026-12-20", false],
  ["0206-12-20", false],
  ["1899-12-31", false],
  ["1900-01-01", true],
  ["2099-12-31", true],
  ["2100-01-01", false],
  ["9999-12-31", false],
])("%s is a day of the calendar: %s", (date, expected) => {
  expect(isDate(date)).toBe(expected);
});

type Read = [typed: string, read: string | null];

test.each<Read>([
  ...["2000-01-31", "31.1.2000", "31.01.2000", "31/1/2000", "31. 1. 2000", "31-1-2000"].map(
    (typed): Read => [typed, "2000-01-31"],
  ),
  ["2000/1/31", "2000-01-31"],
  ...["1/31/2000", "31.1.00", "31.1", "2000", "", "29.2.2001", "a.b.2000"].map((typed): Read => [
    typed,
    null,
  ]),
])("the date %j is read as %j", (typed, date) => {
  expect(readDate(typed)).toBe(date);
});

test.each<Read>([
  ...["18:00", "18.00", "18", "18:00:00"].map((typed): Read => [typed, "18:00"]),
  ["9.30", "09:30"],
  ...["24:00", "18:60", "18:0", "", "x18:00"].map((typed): Read => [typed, null]),
])("the time %j is read as %j", (typed, time) => {
  expect(readTime(typed)).toBe(time);
});
