import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";

const DOCUMENT = path.join(projectRoot, "docs/specification.md");

/** A test, and the rows of docs/specification.md that the comment above it names. */
interface NumberedTest {
  file: string;
  title: string;
  rows: string[];
}

export const readSpecification = () => readFileSync(DOCUMENT, "utf8");

/** All tests with a comment such as `// spec: 1.3, 2.29` above them, by file and place. */
export function findNumberedTests(): NumberedTest[] {
  return globSync("{app,db,e2e,scripts,test}/**/*.{test,spec}.{ts,tsx}", { cwd: projectRoot })
    .sort()
    .flatMap((file) => numberedTestsIn(file, readFileSync(path.join(projectRoot, file), "utf8")));
}

/** A comment that no test follows gives a test without a title. */
export function numberedTestsIn(file: string, source: string): NumberedTest[] {
  if (!source.includes("// spec:")) return [];
  const { program, comments } = parseSync(file, source);
  const titles = new Map<number, string>();
  new Visitor({
    ExpressionStatement({ start, expression }) {
      const title = isTest(expression) && titleOf(expression, source);
      if (title) titles.set(start, title);
    },
  }).visit(program);
  return comments
    .filter(({ value }) => value.startsWith(" spec:"))
    .map(({ value, end }) => ({
      file,
      title:
        titles.get(end + (/^\s*(?:\/\/.*\s*)*/.exec(source.slice(end))?.[0].length ?? 0)) ?? "",
      rows: value
        .slice(" spec:".length)
        .split(",")
        .map((row) => row.trim()),
    }));
}

/** A call of `test`, `test.each(…)`, `describe`, `test.describe` and the like. */
function isTest(node: ESTree.Expression): node is ESTree.CallExpression {
  if (node.type !== "CallExpression") return false;
  let callee: ESTree.Node = node.callee;
  while (callee.type !== "Identifier") {
    if (callee.type === "MemberExpression") callee = callee.object;
    else if (callee.type === "CallExpression") callee = callee.callee;
    else return false;
  }
  return ["test", "it", "describe"].includes(callee.name);
}

function titleOf(call: ESTree.CallExpression, source: string): string {
  const [title] = call.arguments;
  if (title?.type === "TemplateLiteral") return source.slice(title.start + 1, title.end - 1);
  return title?.type === "Literal" && typeof title.value === "string" ? title.value : "";
}

/** The document with its last column generated from the tests, and its problems. */
export function withTests(markdown: string, tests: NumberedTest[]) {
  const mistakes: string[] = [];
  const numbers = new Set<string>();
  const lines = markdown.split("\n").map((line) => {
    if (!line.startsWith("|") || /^\| ?(no\.|---)/.test(line)) return line;
    const [number = "", fact = "", decision = "", ...rest] = cellsOf(line);
    const say = (mistake: string) => mistakes.push(`${number}: ${mistake}`);
    const own = tests.filter(({ rows }) => rows.includes(number));
    if (!/^\d+\.\d+$/.test(number)) say("not a number");
    if (numbers.has(number)) say("twice");
    if (!fact) say("says nothing");
    if (rest.length !== 1) say("not four cells");
    if (!decision && own.length === 0) say("no test and no decision");
    if (decision && !isDecision(decision)) say(`no decision: ${decision}`);
    numbers.add(number);
    return `| ${[number, fact, decision, own.map(linkOf).join("<br>")].join(" | ")} |`;
  });
  for (const { file, title, rows } of tests) {
    if (!title) mistakes.push(`${file}: no test below "spec: ${rows.join(", ")}"`);
    for (const row of rows) {
      if (!numbers.has(row)) mistakes.push(`${file}: there is no row ${row}`);
    }
  }
  return { text: lines.join("\n"), numbers: [...numbers], mistakes };
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function isDecision(cell: string): boolean {
  const [, file = "-"] = /^\[\d{3}\]\((decisions\/[^)]+)\)(?:: .+)?$/.exec(cell) ?? [];
  return existsSync(path.join(projectRoot, "docs", file));
}

function linkOf({ file, title }: NumberedTest): string {
  return `[${file}](../${file}) › \`${title.replaceAll("|", "\\|")}\``;
}

if (import.meta.main) {
  readOptions("npm run specification", {});
  const { text, mistakes } = withTests(readSpecification(), findNumberedTests());
  writeFileSync(DOCUMENT, text);
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
}
