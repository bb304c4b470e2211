import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

const PATH = /(?<![\w/.#-])(?:app|bench|db|deploy|docs|e2e|scripts|test)\/[\w.:/-]*[\w/]/g;
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;

const documents = globSync("{*.md,docs/**/*.md}", { cwd: projectRoot });

/** Every file and folder that a document names in code or as a link. */
function pathsIn(document: string): string[] {
  const text = readFileSync(path.join(projectRoot, document), "utf8");
  const named = (text.match(/`[^`\n]+`/g) ?? []).flatMap((code) => code.match(PATH) ?? []);
  const folder = path.dirname(document);
  const linked = [...text.matchAll(LINK)].map(([, to]) => path.join(folder, to!));
  return [...named, ...linked];
}

test.each(documents)("%s names only files and folders that are there", (document) => {
  const missing = pathsIn(document).filter((name) => !existsSync(path.join(projectRoot, name)));
  expect([...new Set(missing)]).toEqual([]);
});

const squeezed = (text: string) => text.replace(/\s+/g, "");

test("every line that the style calls good is in the code, word for word", () => {
  const files = globSync("app/**/*.{ts,tsx}", { cwd: projectRoot });
  const code = files.map((file) => squeezed(readFileSync(path.join(projectRoot, file), "utf8")));
  const style = readFileSync(path.join(projectRoot, "STYLE.md"), "utf8");
  const lines = Array.from(style.matchAll(/^```ts\n(.*?)^```/gms), ([, pair]) => pair!.split("\n"));
  const good = lines.flat().filter((line) => line && !/ \/\/ bad(:|$)/.test(line));
  expect(good.length).toBeGreaterThan(12);
  const parts = good.flatMap((line) => line.split("…").map(squeezed));
  expect(parts.filter((part) => !code.some((file) => file.includes(part)))).toEqual([]);
});

test("the check reads the documents and sees what they name", () => {
  expect(documents.length).toBeGreaterThan(20);
  expect(pathsIn("docs/architecture.md").length).toBeGreaterThan(40);
  expect(pathsIn("README.md")).toContain("app/features/bookings/join-game.server.ts");
});
