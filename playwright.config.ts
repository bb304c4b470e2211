import { defineConfig, devices } from "@playwright/test";
import { type Browser, findBrowser } from "#test/browser.ts";
import { isLong } from "./test/long.ts";

// Each worker reads this file again: what the first one found is handed on to them.
process.env.E2E_BROWSER ??= JSON.stringify(findBrowser());
const browser = JSON.parse(process.env.E2E_BROWSER) as Browser;
// A page lives for a second: code that V8 optimises meanwhile is hardly run.
const launchOptions = { ...browser, args: [...browser.args, "--js-flags=--no-opt --no-maglev"] };

export default defineConfig({
  testDir: "e2e",
  // Whole processes for minutes; what they prove has a short form beside the code.
  testIgnore: isLong ? [] : /[/\\]e2e[/\\]long[/\\]/,
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  // More than the cores of a small machine: most of what a test does is to wait.
  workers: 5,
  // On busy machines; the list names as flaky what passed only then: a defect of test or product.
  retries: isLong ? 0 : 1,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 390, height: 844 },
    locale: "en-GB",
    launchOptions,
    // A click waits until what it is meant for stands still; motion.spec.ts asks for it.
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // Each new browser would install it; what it does has its own tests, in offline.spec.ts.
    serviceWorkers: "block",
    // Traces of everything take a quarter of the run; `--trace on` makes them where needed.
    screenshot: "only-on-failure",
  },
});
