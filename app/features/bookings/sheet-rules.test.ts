import { describe, expect, test } from "vitest";
import { checkForm } from "#app/features/accounts/input.ts";
import { gameMessageInput, isResultField, readResult } from "./input.ts";
import { canMark, resultProblem, takesPlace } from "./rules.ts";

test("players can be marked from an hour before kick-off on, not a millisecond earlier", () => {
  const startsAt = new Date("2026-11-21T17:00:00Z");
  const at = (ms: number) => canMark({ startsAt }, new Date(startsAt.getTime() + ms));
  expect([-3_600_001, -3_600_000, 0, 3_600_000].map(at)).toEqual([false, true, true, true]);
});

test.each([
  ["Draft", false],
  ["Published", true],
  ["Completed", true],
  ["Cancelled", false],
] as const)("%s: the game takes place: %s", (status, expected) => {
  expect(takesPlace({ status })).toBe(expected);
});

describe("a result", () => {
  const player = (goals: number, hasWon = false) => ({ goals, hasWon });
  test.each([
    [3, 1, [], null],
    [3, 1, [player(2), player(2)], null],
    [3, 1, [player(3), player(2)], "too-many-goals"],
    [0, 0, [player(0)], null],
    [0, 0, [player(1)], "too-many-goals"],
    [2, 2, [player(2, true), player(2)], "winners-of-a-draw"],
    [2, 2, [player(2), player(2)], null],
    [1, 2, [player(1, true), player(2, true)], null],
  ])("%i : %i with the players %j: %s", (firstScore, secondScore, players, problem) => {
    expect(resultProblem({ firstScore, secondScore }, players)).toBe(problem);
  });

  const NUMBER = "Enter a number from 0 to 99";
  test("is read with its players: no goals where nothing is typed, won where it is ticked", () => {
    const fields = { firstScore: " 3 ", secondScore: "10", "goals-a": "2", "goals-b": " " };
    expect(readResult({ ...fields, "won-a": "", other: "x", "goals-": "7" })).toEqual({
      ok: true,
      input: {
        ...{ firstScore: 3, secondScore: 10 },
        players: [
          { bookingId: "a", goals: 2, hasWon: true },
          { bookingId: "b", goals: 0, hasWon: false },
        ],
      },
    });
  });

  test.each(["", "100", "-1", "1.5", "x1", "1x"])("%j is no score", (firstScore) => {
    const result = readResult({ firstScore, secondScore: "1", "goals-a": "200", "ygoals-b": "z" });
    expect(result).toEqual({ ok: false, errors: { firstScore: NUMBER, "goals-a": NUMBER } });
  });

  test("that says nothing lacks both its scores", () => {
    const errors = { firstScore: NUMBER, secondScore: NUMBER };
    expect(readResult({})).toEqual({ ok: false, errors });
  });

  test.each([
    ["firstScore", true],
    ["secondScore", true],
    ["goals-a", true],
    ["won-a", true],
    ["goals", false],
    ["my-goals-a", false],
    ["version", false],
  ])("%s is a field of its form: %s", (name, expected) => {
    expect(isResultField(name)).toBe(expected);
  });
});

describe("a message to all players", () => {
  const check = (subject: unknown, message: unknown) =>
    checkForm(gameMessageInput, { subject, message });

  test("has its subject on one line and its words on several", () => {
    expect(check(" New\nshoes ", " One\r\ntwo ")).toEqual({
      ok: true,
      input: { subject: "New shoes", message: "One\ntwo" },
    });
  });

  test.each([
    ["", "x", { subject: "Subject is required" }],
    ["x", " ", { message: "Message is required" }],
    ["x".repeat(121), "x", { subject: "Subject is too long (max 120 characters)" }],
    ["x", "x".repeat(5_001), { message: "Message is too long (max 5000 characters)" }],
  ])("%.5s and %.5s are refused", (subject, message, errors) => {
    expect(check(subject, message)).toEqual({ ok: false, errors });
  });

  test("may be as long as it says", () => {
    expect(check("x".repeat(120), "x".repeat(5_000)).ok).toBe(true);
  });
});
