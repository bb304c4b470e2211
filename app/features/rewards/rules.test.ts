import { expect, test } from "vitest";
import { challengeState, gamesMissing, monthAfter } from "./rules.ts";

// spec: 9.14
test.each([
  [0, false, "open", 5],
  [4, false, "open", 1],
  [5, false, "earned", 0],
  [9, false, "earned", 0],
  [5, true, "claimed", 0],
  [0, true, "claimed", 5],
])("%i games, claimed %s: %s", (gamesCompleted, isClaimed, state, missing) => {
  expect(challengeState({ gamesCompleted, isClaimed })).toBe(state);
  expect(gamesMissing(gamesCompleted)).toBe(missing);
});

test.each([
  ["2026-01", "2026-02"],
  ["2026-09", "2026-10"],
  ["2026-12", "2027-01"],
])("after %s comes %s", (month, next) => {
  expect(monthAfter(month)).toBe(next);
});
