import { expect, test } from "vitest";
import { nameStep, toCardView } from "./card-view.ts";

const viewOf = (thisMonth: number, weeksInARow: number) =>
  toCardView({
    ...{ firstName: "Ann", lastName: "Lee", position: "GK", nationality: "Finland" },
    ...{ nationalityCode: "FI", profilePictureUrl: null },
    ...{ gamesPlayed: 9, wins: 2, goals: 5, thisMonth, weeksInARow },
  });

test.each([
  [0, 0, ""],
  [0, 1, ""],
  [1, 1, "1 game this month"],
  [3, 2, "3 games this month · 2 weeks in a row"],
  [0, 4, "4 weeks in a row"],
])("%i games this month and %i weeks: %j", (thisMonth, weeksInARow, recent) => {
  expect(viewOf(thisMonth, weeksInARow).recent).toBe(recent);
});

test("the card in words: who it is, and its numbers", () => {
  const who = "Player card of Ann Lee, Goalkeeper, Finland. Total games: 9, wins: 2, goals: 5.";
  expect(viewOf(0, 0).alt).toBe(who);
  expect(viewOf(2, 0).alt).toBe(`${who} 2 games this month.`);
});

test.each([
  ["Mäkelä", 0],
  ["Korhoneninen", 1],
  ["Vanderhoogstraten", 2],
  ["von und zu Hohenlohe", 2],
  ["Anne Marie Charlotte Elisabeth", 2],
  ["Wolfeschlegelsteinhaus", 3],
  ["W".repeat(50), 4],
  ["佐々木", 0],
  ["コンスタンティノープル", 2],
  ["x\u0301".repeat(10), 0],
])("%s is drawn %i sizes smaller", (name, step) => {
  expect(nameStep(name)).toBe(step);
});
