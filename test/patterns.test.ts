import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { check } from "recheck";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { LINEAR } from "./linear-patterns.ts";
import { isLong } from "./long.ts";

interface Pattern {
  place: string;
  source: string;
  flags: string;
}

interface Found {
  patterns: Pattern[];
  /** Where a pattern is made while the program runs, so that it cannot be read here. */
  built: string[];
}

const FILES = [
  "server.ts",
  "worker.ts",
  ...readdirSync(path.join(projectRoot, "app"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => path.posix.join("app", name)),
];

/** Methods of a string that make a pattern of a text that they are given. */
const MATCHING = ["match", "matchAll", "search"];
const WRITTEN_TEXTS = ["TemplateLiteral", "BinaryExpression"];

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

function patternsOf(file: string, code: string): Found {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  const found: Found = { patterns: [], built: [] };
  const walk = (node: Node) => {
    const place = () => `${file}:${code.slice(0, node.start).split("\n").length}`;
    const { type, regex } = node;
    if (type === "Literal" && regex) {
      const { pattern: source, flags } = regex as { pattern: string; flags: string };
      found.patterns.push({ place: place(), source, flags });
    }
    if (makesPattern(node)) found.built.push(place());
    for (const part of Object.values(node).flat()) if (isNode(part)) walk(part);
  };
  walk(program as unknown as Node);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

const found = FILES.map((file) =>
  patternsOf(file, readFileSync(path.join(projectRoot, file), "utf8")),
);

/** Whether it calls RegExp, or matches with a text, which does so too. */
function makesPattern({ type, callee, arguments: given }: Node): boolean {
  if (type !== "CallExpression" && type !== "NewExpression") return false;
  const { name, property } = callee as { name?: string; property?: { name?: string } };
  if (name === "RegExp") return true;
  const [first] = given as (Node & { value?: unknown })[];
  if (!first || !MATCHING.includes(property?.name ?? "")) return false;
  return WRITTEN_TEXTS.includes(first.type) || typeof first.value === "string";
}

// The checker in JavaScript: the others are programs of their own, which are not installed.
// LONG=1 decides about all of them; otherwise all but those that take it long.
process.env.RECHECK_BACKEND = "pure";

// The long form decides about those that take seconds also where other programs have the processor.
const PATIENCE_MS = isLong ? 200_000 : 20_000;

async function isLinear({ source, flags }: Pick<Pattern, "source" | "flags">): Promise<boolean> {
  // The automaton decides for every input. What it cannot decide, such as most of (?=…), or what is
  // so tangled that it takes it longer, counts as not linear.
  const { status } = await check(source, flags, { checker: "automaton", timeout: PATIENCE_MS });
  return status === "safe";
}

test("every pattern of the app takes steps in proportion to its input", async () => {
  const patterns = found.flatMap((each) => each.patterns);
  expect(FILES.length).toBeGreaterThan(300);
  expect(patterns.length).toBeGreaterThan(100);
  const problems = found.flatMap(({ built }) => built.map((place) => `${place}: made at runtime`));
  const known = new Set(isLong ? [] : LINEAR.map(String));
  for (const { place, source, flags } of patterns) {
    if (known.has(`/${source}/${flags}`)) continue;
    if (!(await isLinear({ source, flags }))) problems.push(`${place}: /${source}/${flags}`);
  }
  expect(problems).toEqual([]);
}, 1_200_000);

test("each pattern that is known to be linear is one of the app", () => {
  const written = found
    .flatMap(({ patterns }) => patterns)
    .map(({ source, flags }) => `/${source}/${flags}`);
  expect(LINEAR.map(String).filter((pattern) => !written.includes(pattern))).toEqual([]);
});

test("the check finds patterns wherever they are written, and those that are built", () => {
  const code = [
    "const name = /a/u, list = [/b/], made = { key: /c/ };",
    "class C { p = /d/; @f(/e/) m(q = /f/) { return `${/g/}` } }",
    "const jsx = <A b={/h/}>{x ? /i/ : /j/}</A>; type T = RegExp;",
    'new RegExp("k"); text.match("l"); text.search(`m${n}`); text.matchAll("o" + p); text.match(q);',
  ].join("\n");
  const { patterns, built } = patternsOf("a.tsx", code);
  expect(patterns.map(({ source }) => source).join("")).toBe("abcdefghij");
  expect(built).toEqual(["a.tsx:4", "a.tsx:4", "a.tsx:4", "a.tsx:4"]);
});

test.each([
  /<[^>]*>/g,
  /^\s*(?:<!--[\s\S]*?-->\s*)*<svg/i,
  /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  /[^\s<>"'(=/:,]+@[\w.-]+/g,
  /\s+$/,
  /^(a+)+$/,
])("the check finds that %s is not linear", async (pattern) => {
  expect(await isLinear(pattern)).toBe(false);
});
