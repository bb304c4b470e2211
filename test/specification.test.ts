import { expect, test } from "vitest";
import {
  findNumberedTests,
  numberedTestsIn,
  readSpecification,
  withTests,
} from "../scripts/specification.ts";

test("every row has a test or a decision, every number a row, and the document is up to date", () => {
  const markdown = readSpecification();
  const { text, numbers, mistakes } = withTests(markdown, findNumberedTests());
  expect(mistakes).toEqual([]);
  expect(numbers.length).toBeGreaterThan(300);
  expect(new Set(numbers.map((number) => number.split(".")[0])).size, "sections").toBe(9);
  expect(text === markdown, "run `npm run specification` and commit what it writes").toBe(true);
});

test.each([
  ["a test", `test("holds", () => {});`, "holds"],
  ["a table", `test.each([["a"], ["b"]])("%s holds", () => {});`, "%s holds"],
  ["a group", `describe("holds", () => {});`, "holds"],
  ["a group of browser tests", `test.describe("holds", () => {});`, "holds"],
  ["a template", 'test(`${name} "holds"`, () => {});', '${name} "holds"'],
  ["an escaped title", 'test("it \\"holds\\"", () => {});', 'it "holds"'],
  ["a comment between", `// Why it holds.\ntest("holds", () => {});`, "holds"],
  ["no test", `const holds = true;\ntest("holds", () => {});`, ""],
  ["no title", `test(holds, () => {});`, ""],
])("the number of %s is read", (_, below, title) => {
  const source = `for (const é of [1]) {\n  // spec: 1.1, 2.10\n  ${below}\n}\n`;
  expect(numberedTestsIn("a.test.ts", source)).toEqual([
    { file: "a.test.ts", title, rows: ["1.1", "2.10"] },
  ]);
});

const [first, other] = ["1.1", "1.2"].map((row) => ({ file: "a.ts", title: row, rows: [row] }));
const DECISION = "[001](decisions/001-stack.md): so";
test.each([
  ["a test that is there", "| 1.1 | Holds | | |", [first], []],
  ["a decision that is there", `| 1.1 | Holds | ${DECISION} | |`, [], []],
  ["neither", "| 1.1 | Holds | | |", [], ["1.1: no test and no decision"]],
  ["nothing", "| 1.1 | | | |", [first], ["1.1: says nothing"]],
  ["a fifth cell", "| 1.1 | Holds | | | |", [first], ["1.1: not four cells"]],
  ["no number", `| one | Holds | ${DECISION} | |`, [], ["one: not a number"]],
  ["a number twice", "| 1.1 | A | | |\n| 1.1 | B | | |", [first], ["1.1: twice"]],
  ["a missing row", "| 1.1 | Holds | | |", [first, other], ["a.ts: there is no row 1.2"]],
  [
    "a missing test",
    "| 1.1 | Holds | | |",
    [first, { ...first!, title: "" }],
    ['a.ts: no test below "spec: 1.1"'],
  ],
  [
    "a missing decision",
    "| 1.1 | Holds | [999](decisions/999-no.md) | |",
    [first],
    ["1.1: no decision: [999](decisions/999-no.md)"],
  ],
])("%s is seen", (_, table, tests, mistakes) => {
  expect(
    withTests(
      table,
      tests.filter((one) => one !== undefined),
    ).mistakes,
  ).toEqual(mistakes);
});

test("the last column is rewritten, the others are kept", () => {
  const tests = ["a|b", "c"].map((title) => ({ file: "x/y.test.ts", title, rows: ["1.1"] }));
  const { text } = withTests("# Rows\n\n| 1.1 | One \\| two | | old |\n", tests);
  const link = "[x/y.test.ts](../x/y.test.ts)";
  expect(text).toBe(
    `# Rows\n\n| 1.1 | One \\| two |  | ${link} › \`a\\|b\`<br>${link} › \`c\` |\n`,
  );
});
