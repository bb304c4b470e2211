import { expect, test } from "vitest";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { gamePath, holdTokenAt, holdUntil, isHoldToken } from "./rules.ts";

const minutesLater = (minutes: number) => hoursLater(minutes / 60);

const NO_MINIMUM = { minPlayers: null, decidesAt: null, decision: null };

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
  expect(holdUntil({ startsAt: minutesLater(startsIn), ...NO_MINIMUM }, NOW)).toEqual(until);
});

test.each([
  ["up to the decision", 25, { minPlayers: 5, decision: null }, 25],
  ["not where it is too near", 4, { minPlayers: 5, decision: null }, null],
  ["not once it is due", 0, { minPlayers: 5, decision: null }, null],
  ["as ever where it is made", 4, { minPlayers: 5, decision: "On" as const }, 30],
  ["as ever without a minimum", 4, { minPlayers: null, decision: null }, 30],
])("before a game is decided a spot is held %s", (_, decidesIn, minimum, minutes) => {
  const game = { startsAt: hoursLater(10), decidesAt: minutesLater(decidesIn), ...minimum };
  expect(holdUntil(game, NOW)).toEqual(minutes === null ? null : minutesLater(minutes));
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

test.each([
  [TOKEN, true],
  [[TOKEN], false],
  [TOKEN.slice(1), false],
  [undefined, false],
])("%j is a token: %s", (value, expected) => {
  expect(isHoldToken(value)).toBe(expected);
});
