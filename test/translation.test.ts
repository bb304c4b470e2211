import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

const sources = globSync("app/**/!(*.test).tsx", { cwd: projectRoot });
const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

test("every option sends a value of its own, since its text may have been translated", () => {
  const options = sources.flatMap((file) =>
    Array.from(read(file).matchAll(/<option\b[^>]*>/g), ([tag]) => `${file}: ${tag}`),
  );
  expect(options.length).toBeGreaterThan(8);
  expect(options.filter((tag) => !tag.includes("value="))).toEqual([]);
});
