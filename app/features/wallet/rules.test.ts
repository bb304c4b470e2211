import { expect, test } from "vitest";
import {
  disputeStage,
  expiryOfLateCredits,
  gamesAvailable,
  isMoneyGone,
  reclaimTarget,
} from "./rules.ts";

// spec: 9.2
test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [1_901, 1],
  [12_345, 12],
])("%i cents pay for %i games", (cents, games) => {
  expect(gamesAvailable(cents)).toBe(games);
});

test.each([
  ["nothing back", { returnedCents: 0 }, 0],
  ["half, rounded down", { returnedCents: 500 }, 500],
  ["all but a cent", { returnedCents: 998 }, 998],
  ["all", { returnedCents: 999 }, 1_000],
  ["more than was paid", { returnedCents: 5_000 }, 1_000],
  ["all, of which some had lapsed", { returnedCents: 999, lapsedCents: 400 }, 600],
  ["taken before it lapsed", { returnedCents: 999, lapsedCents: 400, reclaimedCents: 900 }, 900],
  ["a dispute that was won", { returnedCents: 0, lapsedCents: 400, reclaimedCents: 900 }, 0],
])("taken back: %s", (_, facts, expected) => {
  const payment = { amountCents: 999, creditsCents: 1_000, lapsedCents: 0, reclaimedCents: 0 };
  expect(reclaimTarget({ ...payment, ...facts })).toBe(expected);
});

test.each([
  ["warning_needs_response", 0, false],
  ["warning_under_review", 0, false],
  ["needs_response", 1, true],
  ["under_review", 1, true],
  ["won", 2, false],
  ["lost", 2, true],
  ["warning_closed", 2, false],
  ["prevented", 2, false],
])("a dispute that is %s: stage %i, money gone: %s", (status, stage, isGone) => {
  expect([disputeStage(status), isMoneyGone(status)]).toEqual([stage, isGone]);
});

test("credits that come late live a week, on time as long as their month", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const at = (day: string) => new Date(`2026-${day}T10:00:00Z`);
  expect(expiryOfLateCredits(at("12-21"), now)).toEqual(at("12-21"));
  expect(expiryOfLateCredits(at("11-28"), now)).toEqual(at("11-28"));
  expect(expiryOfLateCredits(at("11-22"), now)).toEqual(at("11-28"));
  expect(expiryOfLateCredits(at("01-01"), now)).toEqual(at("11-28"));
});
