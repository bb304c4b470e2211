import { expect, test } from "vitest";
import { helsinkiWallClock } from "#app/platform/clock.ts";
import { dueUntil, isNear, isPushService, quietSeconds } from "./rules.ts";

test.each([
  ["by day", "2026-11-21T19:59:59Z", 48, 0],
  ["at 22:00", "2026-11-21T20:00:00Z", 48, 10 * 3_600],
  ["at 22:00, 12 hours before", "2026-11-21T20:00:00Z", 12, 10 * 3_600],
  ["at 22:00, less than 12 hours before", "2026-11-21T20:00:00Z", 11.9, 0],
  ["a second before 8:00", "2026-11-21T05:59:59Z", 48, 1],
  ["before summer time", "2027-03-27T21:00:00Z", 48, 8 * 3_600],
  ["before winter time", "2026-10-24T20:00:00Z", 48, 10 * 3_600],
])("%s a change waits: %s, kick-off in %s hours, %s seconds", (_, now, hours, seconds) => {
  expect(quietSeconds(new Date(now), [gameIn(hours, new Date(now))])).toBe(seconds);
});

const gameIn = (hours: number, now: Date) => {
  const at = (later: number) => new Date(now.getTime() + later * 3_600_000);
  return { startsAt: at(hours), endsAt: at(hours + 1.5) };
};

test.each([
  ["in 12 hours", 12, false],
  ["in less than 12 hours", 11.99, true],
  ["that is being played", -1.49, true],
  ["that is over", -1.5, false],
])("a game %s is near: %s", (_, hours, expected) => {
  const now = new Date("2026-11-21T20:00:00Z");
  expect(isNear(gameIn(hours, now), now)).toBe(expected);
});

test("one of two games that is near is enough, as where a game moves", () => {
  const night = new Date("2026-11-21T20:00:00Z");
  expect(quietSeconds(night, [gameIn(48, night), gameIn(2, night)])).toBe(0);
  expect(quietSeconds(night, [gameIn(48, night), gameIn(-3, night)])).toBe(10 * 3_600);
});

// Helsinki is two hours ahead of UTC in winter, three in summer.
test.each([
  ["at 8:00 in winter", "2026-11-21T06:00:00Z", "2026-11-21 08:00:00"],
  ["a minute before 8:00", "2026-11-21T05:59:00Z", null],
  ["at noon", "2026-11-21T10:00:00Z", "2026-11-21 12:00:00"],
  ["just before the last hour", "2026-11-21T18:59:00Z", "2026-11-21 20:59:00"],
  ["in the last hour", "2026-11-21T19:00:00Z", "2026-11-22 08:00:00"],
  ["at 22:00", "2026-11-21T20:00:00Z", null],
  ["at midnight", "2026-11-21T22:00:00Z", null],
  ["at 8:00 in summer", "2026-07-01T05:00:00Z", "2026-07-01 08:00:00"],
  ["a minute before 8:00 in summer", "2026-07-01T04:59:00Z", null],
  ["on the evening before summer time", "2027-03-27T19:00:00Z", "2027-03-28 09:00:00"],
  ["on the evening before winter time", "2026-10-24T18:55:00Z", "2026-10-25 07:55:00"],
  ["at 8:00 on the day of winter time", "2026-10-25T06:00:00Z", "2026-10-25 08:00:00"],
])("%s what is due is sent up to %s: %s", (_, now, until) => {
  const found = dueUntil(new Date(now));
  expect(found && helsinkiWallClock(found)).toBe(until);
});

test.each([
  "https://fcm.googleapis.com/fcm/send/a:b",
  "https://updates.push.services.mozilla.com/wpush/v2/a",
  "https://web.push.apple.com/a",
  "https://wns2-par02p.notify.windows.com/w/?token=a",
])("%s is a push service", (endpoint) => {
  expect(isPushService(endpoint)).toBe(true);
});

test.each([
  "http://fcm.googleapis.com/fcm/send/a",
  "https://fcm.googleapis.com:8443/a",
  "https://user:word@fcm.googleapis.com/a",
  "https://fcm.googleapis.com.attacker.example/a",
  "https://attacker.example/fcm.googleapis.com",
  "https://notfcm.googleapis.com/a",
  "https://127.0.0.1/a",
  "https://[::1]/a",
  "https://localhost/a",
  "https://169.254.169.254/latest",
  "file:///etc/passwd",
  "no address",
  "",
])("%s is none", (endpoint) => {
  expect(isPushService(endpoint)).toBe(false);
});
