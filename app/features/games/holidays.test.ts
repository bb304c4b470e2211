import { expect, test } from "vitest";
import { easterOf, holidayOn, holidaysOf } from "./holidays.ts";

test.each([
  "1961-04-02",
  "2000-04-23",
  "2008-03-23",
  "2011-04-24",
  "2019-04-21",
  "2024-03-31",
  "2025-04-20",
  "2026-04-05",
  "2027-03-28",
  "2038-04-25",
  "2049-04-18",
])("Easter is on %s", (date) => {
  expect(easterOf(Number(date.slice(0, 4)))).toBe(date);
});

test("the holidays of 2026 are those of the Finnish calendar", () => {
  expect([...holidaysOf(2026).keys()]).toEqual([
    ...["2026-01-01", "2026-01-06", "2026-04-03", "2026-04-05", "2026-04-06"],
    ...["2026-05-01", "2026-05-14", "2026-05-24", "2026-06-19", "2026-06-20"],
    ...["2026-10-31", "2026-12-06", "2026-12-24", "2026-12-25", "2026-12-26"],
  ]);
});

test.each([
  ["2025-06-21", "Midsummer Day"],
  ["2025-11-01", "All Saints' Day"],
  ["2026-12-24", "Christmas Eve"],
  ["2026-12-23", null],
])("%s is %s", (date, name) => {
  expect(holidayOn(date)).toBe(name);
});
