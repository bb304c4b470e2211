import { defineConfig } from "vitest/config";

const include = ["{app,db,test,scripts}/**/*.test.{ts,tsx}"];
// They mock modules that others have loaded for real.
const APART = [
  "app/ui/toast.test.ts",
  "app/routes/error-screens.test.tsx",
  "app/features/wallet/game-price.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: "test/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent" },
    projects: [
      {
        extends: true,
        // One process after another would load the same modules for each file.
        test: {
          name: "together",
          include,
          exclude: APART,
          isolate: false,
          setupFiles: "test/leave-no-trace.ts",
        },
      },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
