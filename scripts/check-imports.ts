import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { CHECKED, IMPORT_RULES } from "./import-rules.ts";
import { importsOf, violations } from "./imports.ts";

readOptions("node scripts/check-imports.ts", {});

const files = CHECKED.flatMap(listSources);
const imports = new Map(files.map((file) => [file, importsOf(projectRoot, file)]));
const edges = [...imports.values()].reduce((sum, targets) => sum + targets.size, 0);
const found = violations(imports, IMPORT_RULES);
for (const line of found) console.error(line);
console.log(`${files.length} modules, ${edges} imports, ${found.length} against the rules`);
// A reader that misses the imports finds nothing wrong.
process.exit(found.length === 0 && edges > files.length ? 0 : 1);

function listSources(entry: string): string[] {
  const place = path.join(projectRoot, entry);
  if (!statSync(place).isDirectory()) return [entry];
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(entry, name));
}
