import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";

/** Imports between files, of values and of types, by the file that has them. */
export type Imports = Map<string, Set<string>>;

/** `from` and `to` match the paths of files; `toNot` spares some, where $1 is what `from` captured. */
export interface ImportRule {
  name: string;
  from: string;
  to: string;
  toNot?: string;
}

const ALIAS = /^#(app|test)\//;

/** The files of ours that a file imports. Throws for one that cannot be read. */
export function importsOf(root: string, file: string): Set<string> {
  const code = readFileSync(path.join(root, file), "utf8");
  const { module, program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const named = [...module.staticImports, ...exported].map((each) => each.moduleRequest?.value);
  const later = module.dynamicImports.map(({ moduleRequest }) =>
    code.slice(moduleRequest.start + 1, moduleRequest.end - 1),
  );
  const found = [...named, ...later, ...typesFrom(program)]
    .filter((place) => place !== undefined)
    .map((place) => resolve(root, file, place))
    .filter((place) => place !== null);
  return new Set(found);
}

/** Of `import("./file.ts").Name` as a type. */
function typesFrom(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, source } = node as { type?: string; source?: { value?: string } };
  const own = type === "TSImportType" && source?.value ? [source.value] : [];
  return [...own, ...Object.values(node).flatMap(typesFrom)];
}

/** Null for packages. */
function resolve(root: string, file: string, place: string): string | null {
  const isAlias = ALIAS.test(place);
  if (!isAlias && !place.startsWith(".")) return null;
  const [name = ""] = place.split("?");
  const found = isAlias ? name.slice(1) : path.posix.join(path.posix.dirname(file), name);
  return existsSync(path.join(root, found)) ? found : null;
}

export function violations(imports: Imports, rules: ImportRule[]): string[] {
  const found = findCycles(imports).map(([from, to]) => `no-cycles: ${from} imports ${to}`);
  for (const { name, from, to, toNot } of rules) {
    for (const [file, targets] of imports) {
      const match = new RegExp(from).exec(file);
      if (!match) continue;
      const spared = toNot && new RegExp(toNot.replaceAll("$1", match[1] ?? ""));
      for (const target of targets) {
        if (!new RegExp(to).test(target) || (spared && spared.test(target))) continue;
        found.push(`${name}: ${file} imports ${target}`);
      }
    }
  }
  return found;
}

/** One import of each circle: the one that leads back to a file on the way. */
function findCycles(imports: Imports): [from: string, to: string][] {
  const found: [string, string][] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (file: string) => {
    state.set(file, "open");
    for (const target of imports.get(file) ?? []) {
      if (state.get(target) === "open") found.push([file, target]);
      else if (!state.has(target)) visit(target);
    }
    state.set(file, "done");
  };
  for (const file of imports.keys()) if (!state.has(file)) visit(file);
  return found;
}
