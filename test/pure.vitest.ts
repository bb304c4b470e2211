import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** For stryker.config.js: the tests of features and platform that need neither database nor page. */
export default defineConfig({
  test: {
    isolate: false,
    include: globSync("app/{features,platform}/**/*.test.ts").filter(isPure),
  },
});

function isPure(file: string): boolean {
  return !/from "#test\/(?!check-form|fixtures|hostile-texts|long\b)/.test(
    readFileSync(file, "utf8"),
  );
}
