import { defineConfig } from "vitest/config";
import { isLong } from "./test/long.ts";

const include = ["{app,db,deploy,test,scripts}/**/*.test.{ts,tsx}"];
const LONG_ONLY = "**/*.long.test.ts";
// They mock modules that others have loaded for real.
const APART = [
  // A process prepares a thousand statements at most.
  "app/platform/db.test.ts",
  "app/ui/toast.test.ts",
  "app/routes/error-screens.test.tsx",
  "app/features/wallet/game-price.test.ts",
  "app/routes/bookings/sale-terms.test.ts",
];

export default defineConfig({
  // The pages as they are served: React's development build takes twice as long to write one.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    globalSetup: "test/global-setup.ts",
    pool: "forks",
    // More than the cores of a small machine: some wait for what takes its time.
    maxWorkers: 4,
    // What hangs is to end, not what a busy machine takes long for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    setupFiles: ["test/patient-waits.ts"],
    env: { LOG_LEVEL: "silent", NODE_ENV: "production" },
    projects: [
      {
        extends: true,
        // One process after another would load the same modules for each file.
        test: {
          name: "together",
          include,
          exclude: isLong ? APART : [...APART, LONG_ONLY],
          isolate: false,
          setupFiles: ["test/leave-no-trace.ts"],
        },
      },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
