import { expect, test } from "vitest";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { gamePath, holdTokenAt, holdUntil } from "./friend-rules.ts";

const minutesLater = (minutes: number) => hoursLater(minutes / 60);

test.each([
  ["half an hour, long before kick-off", 600, 30],
  ["half an hour, where it ends an hour before kick-off", 90, 30],
  ["up to an hour before kick-off", 80, 20],
  ["for five minutes at least", 65, 5],
  ["not for less", 64, null],
  ["not in the last hour", 59, null],
  ["not after kick-off", -1, null],
])("a spot is held %s", (_, startsIn, minutes) => {
  const until = minutes === null ? null : minutesLater(minutes);
  expect(holdUntil(minutesLater(startsIn), NOW)).toEqual(until);
});

const TOKEN = "Ab-_56789012345678901x";

test.each([
  [`/events/1?hold=${TOKEN}`, TOKEN],
  [`/events/1?a=b&hold=${TOKEN}#top`, TOKEN],
  [`/events/1#?hold=${TOKEN}`, null],
  [`/events/1?hold=${TOKEN}x`, null],
  ["/events/1?hold=", null],
  ["/events/1?hold=%22%3E%3Cscript%3E0123456", null],
  ["/events/1", null],
  [null, null],
])("the token in the address %s is %s", (path, token) => {
  expect(holdTokenAt(path)).toBe(token);
});

test("the link of a held spot is the game's page with its token", () => {
  expect(holdTokenAt(gamePath("1", TOKEN))).toBe(TOKEN);
  expect(gamePath("1", null)).toBe("/events/1");
});
