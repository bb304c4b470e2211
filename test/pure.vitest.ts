import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** For stryker.config.js: the tests of features and platform that need neither database nor page. */
export default defineConfig({
  test: {
    isolate: false,
    // A mutant that survives a thousand rounds has survived the first hundred.
    env: { LONG: "0" },
    testTimeout: 60_000,
    include: globSync("app/{features,platform}/**/*.test.ts").filter(isPure),
  },
});

function isPure(file: string): boolean {
  return !/from "#test\/(?!check-form|fixtures|hostile-texts|long\b)/.test(
    readFileSync(file, "utf8"),
  );
}
