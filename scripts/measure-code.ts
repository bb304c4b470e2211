import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { projectRoot } from "#app/platform/root.server.ts";
import { misused, readOptions } from "./arguments.ts";
import { findReplacedTerms } from "./old-words.ts";

// Prints what a reader has to cope with, as a Markdown table: `npm run measure`, or with the folder
// of another checkout of the project, to compare; `--words` lists the replaced words that it found.
const USAGE = "npm run measure -- [FOLDER] [--words]";
const { values, positionals } = readOptions(USAGE, {
  options: { words: { type: "boolean" } },
  allowPositionals: true,
});
if (positionals.length > 1) misused(USAGE);
const [folder] = positionals;
const root = path.resolve(folder ?? projectRoot);
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const list = (...patterns: string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

/** One top-level declaration: where it is, and every name in it. */
interface Declaration {
  name: string;
  lines: number;
  names: Set<string>;
  text: string;
}

interface Source {
  file: string;
  lines: number;
  commentLines: number;
  declarations: Declaration[];
  /** Local names of imports, with the file and the name there. */
  imports: Map<string, { file: string; name: string }>;
}

const app = list("app/**/*.{ts,tsx}").filter((file) => !isTest(file));
const sources = new Map(app.map((file) => [file, readSource(file)]));

function readSource(file: string): Source {
  const text = read(file);
  const { program, comments, module } = parseSync(file, text);
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const isAlone = ({ start }: { start: number }) => /(^|\n)\s*\{?$/.test(text.slice(0, start));
  const commentLines = comments
    .filter(isAlone)
    .reduce((sum, { start, end }) => sum + lineOf(end) - lineOf(start) + 1, 0);
  const imports: Source["imports"] = new Map();
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = resolve(file, moduleRequest.value);
    for (const { importName, localName } of entries) {
      if (from) imports.set(localName.value, { file: from, name: importName.name ?? "default" });
    }
  }
  const declarations = program.body.flatMap((node) => {
    const inner = "declaration" in node && node.declaration ? node.declaration : node;
    const part = text.slice(node.start, node.end);
    const lines = part.split("\n").length;
    const names = new Set(part.match(/[A-Za-z_$][\w$]*/g));
    const of = (name: string) => ({ name, lines, names, text: part });
    if (inner.type === "VariableDeclaration") {
      return inner.declarations.flatMap(({ id }) => (id.type === "Identifier" ? of(id.name) : []));
    }
    return "id" in inner && inner.id && "name" in inner.id ? [of(String(inner.id.name))] : [];
  });
  return { file, lines: text.split("\n").length - 1, commentLines, declarations, imports };
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith("#app/")) return `app/${specifier.slice(5)}`;
  if (!specifier.startsWith(".") || specifier.includes("+types")) return null;
  return path.join(path.dirname(from), specifier);
}

/** The shortest path of calls from a URL to the SQL statement. */
const WALKS: [string, string, RegExp][] = [
  ["join", "app/routes/games/show.tsx", /insertInto\("bookings"\)|insert into bookings/],
  [
    "webhook to lots",
    "app/routes/webhooks/stripe.ts",
    /insertInto\("credit_lots"\)|into credit_lots/,
  ],
  ["edit a partner", "app/routes/admin/partners/edit.tsx", /updateTable\(tableOf\(of\)\)/],
  ["edit the profile", "app/routes/profile/show.tsx", /updateTable\("profiles"\)/],
  ["sign up", "app/routes/auth/auth.tsx", /insertInto\("sign_ups"\)|insertInto\("users"\)/],
];

interface Walk {
  hops: number;
  files: string[];
  reached: number;
}

/** `reached` counts all files of routes and features that the action can call. */
function walk(entry: string, target: RegExp): Walk {
  const start = { file: entry, name: "action", way: ["app/routes.ts", entry] };
  const queue = [start];
  const seen = new Set([`${entry} action`]);
  let found: string[] | null = null;
  for (const { file, name, way } of queue) {
    const source = sources.get(file);
    const declared = source?.declarations.find((one) => one.name === name);
    if (!source || !declared) continue;
    if (target.test(declared.text) && (!found || way.length < found.length)) found = way;
    for (const used of declared.names) {
      const next = source.imports.get(used) ?? { file, name: used };
      if (seen.has(`${next.file} ${next.name}`) || !sources.has(next.file)) continue;
      seen.add(`${next.file} ${next.name}`);
      queue.push({ ...next, way: next.file === file ? way : [...way, next.file] });
    }
  }
  const files = new Set([...seen].map((key) => key.split(" ")[0]!));
  const reached = [...files].filter((file) => /^app\/(routes|features)\//.test(file)).length;
  return { hops: found?.length ?? Number.NaN, files: found ?? [], reached };
}

/** Files that import one another in a circle, types included. */
function cycles(): number {
  const edges = new Map(
    [...sources].map(([file, { imports }]) => [file, [...imports.values()].map((to) => to.file)]),
  );
  const reaches = (from: string, to: string) => {
    const seen = new Set(edges.get(from));
    for (const file of seen) for (const next of edges.get(file) ?? []) seen.add(next);
    return seen.has(to);
  };
  return app.filter((file) => reaches(file, file)).length;
}

/** Duplicated lines: those in blocks of six that occur again elsewhere. */
/** More than brackets and closing tags, in which all pages end alike. */
const saysSomething = (line: string) => /\w/.test(line.replaceAll(/<\/[\w.]+>/g, ""));

function repeatedLines(): number {
  const places = new Map<string, Set<string>>();
  for (const file of app) {
    const lines = read(file)
      .split("\n")
      .map((line) => line.trim());
    for (let n = 0; n + 6 <= lines.length; n += 1) {
      const block = lines.slice(n, n + 6);
      if (block.some((line) => line.startsWith("import")) || block.filter(saysSomething).length < 4)
        continue;
      const key = block.join("\n");
      const found = places.get(key) ?? new Set();
      places.set(key, found.add(`${file}:${n}`));
    }
  }
  const repeated = [...places.values()].filter((found) => found.size > 1);
  const lines = repeated.flatMap((found) =>
    [...found].flatMap((place) => {
      const [file, first] = place.split(":");
      return Array.from({ length: 6 }, (_, n) => `${file}:${Number(first) + n}`);
    }),
  );
  return new Set(lines).size;
}

const documents = list("*.md", "docs/**/*.md");
const everything = list("{app,db,test,e2e,bench,scripts}/**/*.{ts,tsx}", "*.ts").filter(
  (file) => !file.endsWith("old-words.ts"),
);

/** Occurrences of the replaced words (STYLE.md). */
function countOldTerms(files: string[]): number {
  const hits = files.flatMap((file) => findReplacedTerms(read(file)));
  if (values.words) {
    const counts = Object.entries(Object.groupBy(hits, (hit) => hit)).map(([word, all]) => {
      return [word, all!.length] as const;
    });
    for (const [word, count] of counts.toSorted((a, b) => b[1] - a[1])) console.log(count, word);
  }
  return hits.length;
}

const size = (files: string[]) =>
  `${files.length} files, ${files.reduce((sum, file) => sum + read(file).split("\n").length - 1, 0).toLocaleString("en")} lines`;
const below = (folder: string) => app.filter((file) => file.startsWith(folder));
const longest = <T extends { lines: number }>(all: T[]) =>
  all.reduce((most, one) => (one.lines > most.lines ? one : most));

const urls = (read("app/routes.ts").match(/\b(?:route|index)\(/g) ?? []).length;
const all = [...sources.values()];
const lines = all.reduce((sum, one) => sum + one.lines, 0);
const comments = all.reduce((sum, one) => sum + one.commentLines, 0);
const packages = JSON.parse(read("package.json")) as Record<string, object>;
const functions = all.flatMap(({ file, declarations }) =>
  declarations
    .filter(({ text }) => /^(export )?(default )?(async )?function/.test(text))
    .map((declaration) => ({ ...declaration, file })),
);
const longestFile = longest(all);
const longestFunction = longest(functions);
const profileField = app.filter((file) => /is_down_to_play|isDownToPlay/.test(read(file)));
const count = (kind: string) => Object.keys(packages[kind] ?? {}).length;

const rows: [string, string | number][] = [
  ["app without tests", size(app)],
  [
    "app, files and lines a URL",
    `${(app.length / urls).toFixed(1)} and ${Math.round(lines / urls)} (${urls} URLs)`,
  ],
  ["app, tests", size(list("app/**/*.test.{ts,tsx}"))],
  ["test", size(list("test/**/*.{ts,tsx}"))],
  ["e2e", size(list("e2e/**/*.{ts,tsx}"))],
  ["routes/admin", size(below("app/routes/admin/"))],
  [
    "partners: routes and feature",
    size([...below("app/routes/admin/partners/"), ...below("app/features/partners/")]),
  ],
  ["a field of the profile is named in", `${profileField.length} files`],
  ...WALKS.flatMap(([name, entry, target]): [string, string][] => {
    const { hops, files, reached } = walk(entry, target);
    const way = files.map((file) => path.basename(file)).join(" → ");
    return [[`${name}: files from URL to SQL`, `${hops} (${way}); it can reach ${reached} files`]];
  }),
  ["comment lines", `${((100 * comments) / lines).toFixed(1)} %`],
  ["replaced words in code, comments and tests", countOldTerms(everything)],
  ["replaced words in documents", countOldTerms(documents)],
  ["lines that are there twice (blocks of six)", repeatedLines()],
  ["longest file", `${longestFile.lines} (${longestFile.file})`],
  ["longest function", `${longestFunction.lines} (${longestFunction.name})`],
  ["files in import cycles", cycles()],
  ["packages", `${count("dependencies")} + ${count("devDependencies")} for development`],
];

console.log("| measure | value |\n|---|---|");
for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
