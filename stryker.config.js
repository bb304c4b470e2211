/**
 * Mutation tests of the pure rules, a step of `npm run test:long`: a rule counts as proved when a
 * test fails once it is changed. Files are named by kind, so that one that is moved is still seen.
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  mutate: [
    "app/features/**/!(*.server|*.test|*-fixture|default-texts|stripe-*|link-check).ts",
    "app/platform/!(*.server|*.test|*-fixture|schema).ts",
    "app/platform/{cursor,date-ranges}.server.ts",
  ],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "test/pure.vitest.ts" },
  // TypeScript 7 has no API that could rewrite it, and Vite strips types without asking it.
  tsconfigFile: "none",
  disableTypeChecks: false,
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 2,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ["clear-text", "progress-append-only", "json"],
  jsonReporter: { fileName: ".cache/stryker/report.json" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: ".cache/stryker/sandbox",
  ignorePatterns: [
    "/.cache",
    "/.react-router",
    "/test-results",
    "/build",
    "/data",
    "/docs",
    "/e2e",
    "/bench",
    "/public",
    "/db/pictures",
  ],
};
