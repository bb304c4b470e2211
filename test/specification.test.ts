import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { mistakeOf } from "./keepers.ts";

// What the specification says, row by row, and the test or the decision that keeps each row true.
const text = readFileSync(path.join(projectRoot, "docs/specification.md"), "utf8");

test("every row has its keepers, and they are there", () => {
  const rows = rowsOf(text);
  expect(rows.length).toBeGreaterThan(300);
  expect(new Set(rows.map(([number]) => number?.split(".")[0])).size, "sections").toBe(9);
  expect(mistakesIn(text)).toEqual([]);
});

const HERE = "[test/specification.test.ts](../test/specification.test.ts)";
const OWN = `${HERE} › \`every row has its keepers\``;
test.each([
  ["a keeper that is there", `| 1.1 | Holds | ${OWN} |`, []],
  ["two of them", `| 1.1 | Holds | ${OWN}<br>[decision 001](decisions/001-stack.md): so |`, []],
  ["nobody", "| 1.1 | Holds | |", ["1.1: nobody keeps it"]],
  ["nothing", `| 1.1 | | ${OWN} |`, ["1.1: says nothing"]],
  ["a fourth cell", `| 1.1 | Holds | more | ${OWN} |`, ["1.1: not three cells"]],
  ["no number", `| one | Holds | ${OWN} |`, ["one: not a number"]],
  ["a number twice", `| 1.1 | A | ${OWN} |\n| 1.1 | B | ${OWN} |`, ["1.1: twice"]],
  ["words alone", "| 1.1 | Holds | a test |", ["1.1: what is a test?"]],
  ["a missing title", `| 1.1 | Holds | ${HERE} › \`no such\` |`, ["1.1: no one test no such"]],
  ["a title of many", `| 1.1 | Holds | ${HERE} › \`e\` |`, ["1.1: no one test e"]],
  ["a missing file", "| 1.1 | Holds | [a.ts](../a.ts) › `x` |", ["1.1: no file a.ts"]],
  ["another label", `| 1.1 | Holds | [a.ts](${OWN.slice(OWN.indexOf("../"))} |`, ["1.1: not a.ts"]],
  [
    "a missing decision",
    "| 1.1 | Holds | [decision 999](decisions/999-no.md) |",
    ["1.1: no decision 999-no.md"],
  ],
])("%s is seen", (_, table, mistakes) => {
  expect(mistakesIn(table)).toEqual(mistakes);
});

/** The table's lines as cells, without its heading. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\| ?(no\.|---)/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function mistakesIn(markdown: string): string[] {
  const rows = rowsOf(markdown);
  const numbers = rows.map(([number = ""]) => number);
  return rows.flatMap((cells, index) => {
    const [number = "", words, keepers = ""] = cells;
    const say = (mistake: string) => `${number}: ${mistake}`;
    if (!/^\d+\.\d+$/.test(number)) return [say("not a number")];
    if (numbers.indexOf(number) < index) return [say("twice")];
    if (cells.length !== 3) return [say("not three cells")];
    if (!words) return [say("says nothing")];
    if (!keepers) return [say("nobody keeps it")];
    return keepers.split("<br>").flatMap(mistakeOf).map(say);
  });
}
