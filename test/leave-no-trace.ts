import { afterAll, vi } from "vitest";

/** Test files share their processes: what one of them has changed there is undone before the next. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetConfig();
});
