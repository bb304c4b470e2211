import { expect, test } from "vitest";
import {
  clockTime,
  durationMinutes,
  hasStarted,
  isOver,
  priceCents,
  spotsLeft,
  spotsText,
  spotsTone,
} from "./rules.ts";

const newcomer = { hasUsedFreeSession: false };
const regular = { hasUsedFreeSession: true };

// spec: 9.1, 9.5
test.each([
  [false, null, 1_000],
  [false, newcomer, 1_000],
  [false, regular, 1_000],
  [true, null, 1_000],
  [true, newcomer, 0],
  [true, regular, 1_000],
])("first session free: %s, player %o: %i cents", (isFirstSessionFree, player, cents) => {
  expect(priceCents({ isFirstSessionFree }, player)).toBe(cents);
});

// spec: 2.53, 2.63, 9.7, 9.8, 9.9
test.each([
  [10, 0, 10, "green"],
  [10, 6, 4, "green"],
  [10, 7, 3, "green"],
  [10, 9, 1, "green"],
  [10, 10, 0, "red"],
  [8, 10, 0, "red"],
])("%i seats, %i taken: %i left, %s", (seats, taken, left, tone) => {
  expect(spotsLeft(seats, taken)).toBe(left);
  expect(spotsTone(left)).toBe(tone);
  expect(spotsText(left)).toBe(`${left} spots left`);
});

test("a game has started at its kick-off, not a millisecond before", () => {
  const startsAt = new Date("2026-11-21T17:00:00Z");
  expect(hasStarted({ startsAt }, new Date(startsAt.getTime() - 1))).toBe(false);
  expect(hasStarted({ startsAt }, startsAt)).toBe(true);
});

test("a game is over at its end, not a millisecond before", () => {
  const endsAt = new Date("2026-11-21T18:30:00Z");
  expect(isOver({ endsAt }, new Date(endsAt.getTime() - 1))).toBe(false);
  expect(isOver({ endsAt }, endsAt)).toBe(true);
});

// spec: 2.51, 2.66, 3.11, 9.33
test("times lose their seconds, durations are elapsed minutes", () => {
  expect(clockTime("19:00:00")).toBe("19:00");
  const startsAt = new Date("2026-11-21T17:00:00Z");
  expect(durationMinutes({ startsAt, endsAt: new Date("2026-11-21T18:30:00Z") })).toBe(90);
});
