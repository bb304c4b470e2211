import { describe, expect, test } from "vitest";
import {
  decisionTime,
  hasEnough,
  isUndecided,
  type Minimum,
  minimumText,
  warnedUntil,
} from "./minimum-rules.ts";
import { type GamePlan, planProblem } from "./plan.ts";

// A Saturday in Helsinki, 12:00.
const NOW = new Date("2026-11-21T10:00:00Z");
const SLOT = { date: "2026-11-21", startTime: "20:00", endTime: "21:30" };

describe("the decision", () => {
  test.each([
    [SLOT, 3, "2026-11-21T15:00:00Z"],
    [SLOT, 2.5, "2026-11-21T15:30:00Z"],
    [SLOT, 24, "2026-11-20T18:00:00Z"],
    // Hours as they pass, also in the nights in which the clocks change.
    [{ ...SLOT, date: "2026-10-25", startTime: "10:00" }, 12, "2026-10-24T20:00:00Z"],
    [{ ...SLOT, date: "2027-03-28", startTime: "10:00" }, 12, "2027-03-27T19:00:00Z"],
  ])("of %j is %d hours before: %s", (slot, decidesHours, at) => {
    expect(decisionTime({ ...slot, minPlayers: 8, decidesHours })).toEqual(new Date(at));
  });

  test.each([
    ["without a minimum", { ...SLOT, minPlayers: null }],
    [
      "in the hour that spring skips",
      { ...SLOT, date: "2027-03-28", startTime: "03:30", minPlayers: 8 },
    ],
  ])("%s is at no time", (_, plan) => {
    expect(decisionTime({ ...plan, decidesHours: 3 })).toBeNull();
  });

  test("is warned of for two hours", () => {
    expect(warnedUntil(NOW)).toEqual(new Date("2026-11-21T12:00:00Z"));
  });
});

const GAME: Minimum & { startsAt: Date } = {
  minPlayers: 8,
  decidesAt: new Date("2026-11-21T15:00:00Z"),
  decision: null,
  joinedCount: 6,
  startsAt: new Date("2026-11-21T18:00:00Z"),
};

test.each([
  [{ joinedCount: 7 }, false],
  [{ joinedCount: 8 }, true],
  [{ joinedCount: 9 }, true],
  [{ minPlayers: null, joinedCount: 0 }, true],
])("with %j there are enough: %s", (wish, enough) => {
  expect(hasEnough({ ...GAME, ...wish })).toBe(enough);
});

test.each([
  [{}, true],
  [{ minPlayers: null, decidesAt: null }, false],
  [{ decision: "On" }, false],
  [{ decision: "PlayAnyway" }, false],
  [{ decision: "CalledOff" }, false],
] as const)("with %j it is undecided: %s", (wish, undecided) => {
  expect(isUndecided({ ...GAME, ...wish })).toBe(undecided);
});

describe("a card says", () => {
  test.each([
    [{}, "On from 8 players. 6 so far. Decided at 17:00."],
    [{ joinedCount: 0 }, "On from 8 players. 0 so far. Decided at 17:00."],
    [{ minPlayers: 1, joinedCount: 0 }, "On from 1 player. 0 so far. Decided at 17:00."],
    [
      { decidesAt: new Date("2026-11-22T15:00:00Z"), startsAt: new Date("2026-11-22T18:00:00Z") },
      "On from 8 players. 6 so far. Decided Sun 17:00.",
    ],
    // The game is today, its decision was to be yesterday: nobody has carried it out yet.
    [
      { decidesAt: new Date("2026-11-20T15:00:00Z") },
      "On from 8 players. 6 so far. Decided Fri 17:00.",
    ],
    [
      { decidesAt: new Date("2026-12-01T15:00:00Z"), startsAt: new Date("2026-12-01T18:00:00Z") },
      "On from 8 players. 6 so far. Decided Tue Dec 1, 17:00.",
    ],
    // Midnight by Helsinki's clock, not by UTC.
    [
      { decidesAt: new Date("2026-11-21T22:00:00Z"), startsAt: new Date("2026-11-22T01:00:00Z") },
      "On from 8 players. 6 so far. Decided Sun 00:00.",
    ],
    [{ joinedCount: 8 }, "On: 8 players are in."],
    [{ minPlayers: 1, joinedCount: 1 }, "On: 1 player is in."],
    // A player who leaves after the decision does not undo it.
    [{ decision: "On", joinedCount: 7 }, "On: 7 players are in."],
    [{ decision: "On", joinedCount: 1 }, "On: 1 player is in."],
    [{ decision: "PlayAnyway" }, "On in any case: 6 players so far."],
    [{ decision: "PlayAnyway", joinedCount: 1 }, "On in any case: 1 player so far."],
    [{ decision: "PlayAnyway", joinedCount: 8 }, "On: 8 players are in."],
    [{ decision: "CalledOff" }, null],
    [{ minPlayers: null, decidesAt: null }, null],
    [{ startsAt: NOW }, null],
  ] as const)("with %j: %s", (wish, text) => {
    expect(minimumText({ ...GAME, ...wish }, NOW)).toBe(text);
  });
});

const PLAN: GamePlan = {
  ...SLOT,
  ...{ title: "Indoor futsal", description: "", sport: "Futsal", venueId: "venue-1" },
  ...{ maxPlayers: 10, gameFormat: "5v5", isOutdoor: false, priceCents: 1_000 },
  ...{ isFirstSessionFree: false, level: null, playerNotes: "", minPlayers: 8, decidesHours: 3 },
};

describe("a plan", () => {
  test.each([
    ["with a decision to come", {}, null],
    ["whose decision is now", { decidesHours: 8 }, "decision-over"],
    ["whose decision would have been earlier", { decidesHours: 24 }, "decision-over"],
    ["without a minimum", { minPlayers: null, decidesHours: 24 }, null],
    ["for all who fit", { minPlayers: 10 }, null],
    ["for more than fit", { minPlayers: 11 }, "minimum-too-high"],
    ["of the past", { date: "2026-11-20", minPlayers: 11 }, "past"],
  ])("%s: %s", (_, wish, reason) => {
    expect(planProblem({ ...PLAN, ...wish }, NOW)?.reason ?? null).toBe(reason);
  });

  // Its decision was at 8 in the morning.
  const DECIDED = { ...PLAN, decidesHours: 12 };
  test.each([
    ["its title", { title: "Futsal" }, null],
    ["its capacity", { maxPlayers: 12 }, null],
    ["its end", { endTime: "22:00" }, null],
    ["no minimum any more", { minPlayers: null }, null],
    ["its minimum", { minPlayers: 6 }, "decision-over"],
    ["its hours, too late", { decidesHours: 10 }, "decision-over"],
    ["its hours, in time", { decidesHours: 7 }, null],
    ["its start, too early", { startTime: "21:00", endTime: "22:30" }, "decision-over"],
    ["its day", { date: "2026-11-22" }, null],
  ])("that has been decided may change %s: %s", (_, wish, reason) => {
    expect(planProblem({ ...DECIDED, ...wish }, NOW, DECIDED)?.reason ?? null).toBe(reason);
  });
});
