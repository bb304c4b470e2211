import { describe, expect, test } from "vitest";
import { mostWinners, resultProblem, scoresOf, winningTeam } from "./result-rules.ts";
import { isResultField, readResult } from "./result-input.ts";

test.each([
  [[5, 3], 1],
  [[3, 5], 2],
  [[4, 4], null],
  [[0, 0], null],
  [[1, 0, 2], 3],
  [[2, 0, 2], null],
  [[1, 1, 2], 3],
  [[0, 3, 2, 1], 2],
])("of the scores %j team %s has won", (scores, winner) => {
  expect(winningTeam(scores)).toBe(winner);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [8, 5],
  [9, 6],
  [10, 6],
])("of %i who played %i can have won", (players, winners) => {
  expect(mostWinners(players)).toBe(winners);
  const all = Array.from({ length: players }, (_, n) => ({ goals: 0, hasWon: n < winners }));
  const score = { firstScore: 1, secondScore: 0 };
  expect(resultProblem(score, all)).toBeNull();
  const more = all.map((player, n) => ({ ...player, hasWon: n <= winners }));
  expect(resultProblem(score, more)).toBe(players > winners ? "too-many-winners" : null);
  expect(resultProblem(score, more, true)).toBeNull();
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
    [1, 2, [player(1, true), player(2, true)], "too-many-winners"],
    [1, 2, [player(1), player(2, true)], null],
  ])("%i : %i with the players %j: %s", (firstScore, secondScore, players, problem) => {
    expect(resultProblem({ firstScore, secondScore }, players)).toBe(problem);
  });
});

test("goals are compared with the scores of two teams, not with what three have won", () => {
  const players = [{ goals: 9, hasWon: true }];
  const score = { firstScore: 1, secondScore: 2 };
  expect(resultProblem(score, players, true)).toBe("too-many-goals");
  expect(resultProblem({ ...score, thirdScore: 3 }, players, true)).toBeNull();
});

test("the players of one of two teams have at most as many goals as it", () => {
  const score = { firstScore: 5, secondScore: 3 };
  const of = (goals: number, team: number | null) => [{ goals, hasWon: false, team }];
  expect(resultProblem(score, [...of(5, 1), ...of(3, 2)], true)).toBeNull();
  expect(resultProblem(score, of(7, 1), true)).toBe("too-many-goals-of-team");
  expect(resultProblem(score, [...of(2, 2), ...of(2, 2)], true)).toBe("too-many-goals-of-team");
  expect(resultProblem(score, of(7, null), true)).toBeNull();
});

test("a third and a fourth score are read where their fields are", () => {
  const fields = { firstScore: "1", secondScore: "2", thirdScore: "3", fourthScore: "0" };
  const read = readResult(fields);
  expect(read.ok && scoresOf(read.input)).toEqual([1, 2, 3, 0]);
  expect(readResult({ ...fields, fourthScore: "" })).toEqual({
    ok: false,
    errors: { fourthScore: "Enter a number from 0 to 99" },
  });
  expect(["thirdScore", "fourthScore", "fifthScore"].map(isResultField)).toEqual([
    true,
    true,
    false,
  ]);
});
