import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { CHECKED, IMPORT_RULES } from "./import-rules.ts";

readOptions("node scripts/check-imports.ts", {});
process.chdir(projectRoot);

const { output } = await cruise(CHECKED, {
  ruleSet: { forbidden: IMPORT_RULES },
  validate: true,
  parser: "swc",
  tsPreCompilationDeps: true,
  doNotFollow: { path: "node_modules" },
  exclude: { path: "^node_modules" },
});
const result = output as ICruiseResult;
const seen = new Set(result.modules.map((module) => module.source));
const unseen = CHECKED.flatMap(listSources).filter((file) => !seen.has(file));
const edges = result.modules.flatMap((module) => module.dependencies).length;

// A parser that cannot read TypeScript finds nothing wrong, so check that it saw every file.
for (const file of unseen) console.error(`not seen by the check: ${file}`);
for (const { from, to, rule } of result.summary.violations) {
  console.error(`${rule.name}: ${from} imports ${to}`);
}
const isRight = unseen.length === 0 && result.summary.violations.length === 0 && edges > seen.size;
console.log(
  `${seen.size} modules, ${edges} imports, ${result.summary.violations.length} against the rules`,
);
process.exit(isRight ? 0 : 1);

function listSources(entry: string): string[] {
  if (!statSync(entry).isDirectory()) return [entry];
  return readdirSync(entry, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(entry, name));
}
