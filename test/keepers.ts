import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/** What is wrong with one keeper: a test by its file and title, or a decision by its file. */
export function mistakeOf(keeper: string): string[] {
  const [, decision] = /^\[decision \d{3}\]\(decisions\/([^)]+)\)(?:: .+)?$/.exec(keeper) ?? [];
  if (decision) {
    const isThere = existsSync(path.join(projectRoot, "docs/decisions", decision));
    return isThere ? [] : [`no decision ${decision}`];
  }
  const [, label, file, title] = /^\[(.+)\]\(\.\.\/([^)]+)\) › `([^`]+)`$/.exec(keeper) ?? [];
  if (!label || !file || !title) return [`what is ${keeper}?`];
  if (label !== file) return [`not ${label}`];
  if (!existsSync(path.join(projectRoot, file))) return [`no file ${file}`];
  return hasTest(file, title) ? [] : [`no one test ${title}`];
}

/** Whether the file has a test of that title, or one alone with that in its title. */
function hasTest(file: string, wanted: string): boolean {
  const titles = titlesIn(readFileSync(path.join(projectRoot, file), "utf8"));
  return titles.includes(wanted) || titles.filter((title) => title.includes(wanted)).length === 1;
}

/** The titles of `test("…",` and of `test.each(…)("…",`. */
function titlesIn(source: string): string[] {
  const calls = source.matchAll(
    /(?:\btest|\))\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)\s*,/g,
  );
  return [...calls].map(([, plain, template]) => (plain ?? template ?? "").replaceAll('\\"', '"'));
}
