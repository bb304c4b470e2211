import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,db,test,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: "test/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent" },
  },
});
