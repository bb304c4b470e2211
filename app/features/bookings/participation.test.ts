import { expect, test } from "vitest";
import { participation } from "./participation.ts";

type ParticipationFacts = Parameters<typeof participation>[0];

const OPEN: ParticipationFacts = {
  isCalledOff: false,
  isDraft: false,
  isOver: false,
  hasStarted: false,
  isIn: false,
  spots: 3,
  hasFriendHold: false,
  isPaying: false,
  entry: null,
};

/** What makes each state, in the order in which they win. */
const STATES: [string, Partial<ParticipationFacts>][] = [
  ["cancelled", { isCalledOff: true }],
  ["draft", { isDraft: true }],
  ["was-in", { isOver: true, hasStarted: true, isIn: true }],
  ["over", { isOver: true, hasStarted: true }],
  ["playing", { isIn: true, hasStarted: true }],
  ["in", { isIn: true }],
  ["started", { hasStarted: true }],
  ["offered", { entry: "offered", spots: 0 }],
  ["paying", { isPaying: true, spots: 0 }],
  ["friend-hold", { hasFriendHold: true, spots: 0 }],
  ["unanswered", { entry: "unanswered" }],
  ["changed", { entry: "changed" }],
  ["waiting", { entry: "waiting", spots: 0 }],
  ["full", { spots: 0 }],
  ["open", {}],
];

test.each(STATES)("a viewer of whom only this is true is %s", (state, facts) => {
  expect(participation({ ...OPEN, ...facts })).toBe(state);
});

test("the first state that is true wins over all that come later", () => {
  for (const [index, [state, facts]] of STATES.entries()) {
    for (const [, later] of STATES.slice(index + 1)) {
      // A game that is over, or has started, says by itself whether the player is in.
      if (state === "over" && later.isIn) continue;
      if (state === "in" && later.hasStarted) continue;
      expect(participation({ ...OPEN, ...later, ...facts }), JSON.stringify(later)).toBe(state);
    }
  }
});

test("a player who only waits may join as soon as there are spots for all", () => {
  expect(participation({ ...OPEN, entry: "waiting" })).toBe("open");
});
