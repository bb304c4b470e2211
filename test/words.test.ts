import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { findReplacedTerms } from "../scripts/old-words.ts";

const files = globSync(
  ["*.md", "docs/**/*.md", "*.ts", "{app,db,test,e2e,bench,scripts}/**/*.{ts,tsx}"],
  { cwd: projectRoot },
).filter((file) => !file.endsWith("old-words.ts"));

test("no code, comment, test or document has a word that STYLE.md's terms replaced", () => {
  const found = files.flatMap((file) =>
    findReplacedTerms(readFileSync(path.join(projectRoot, file), "utf8")).map(
      (word) => `${file}: ${word}`,
    ),
  );
  expect(found).toEqual([]);
  expect(findReplacedTerms(["a de", "ed"].join(""))).toEqual([["de", "ed"].join("")]);
});
