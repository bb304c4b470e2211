import { expect, test } from "vitest";
import { isLive } from "./delete-account.server.ts";

test.each([
  ["active", false, true],
  ["active", true, false],
  ["unpaid", false, true],
  ["paused", false, true],
  ["canceled", false, false],
  ["canceled", true, false],
])(
  "a subscription that is %s (ending: %s) could be charged again: %s",
  (status, isEnding, live) => {
    expect(isLive({ status, isEnding })).toBe(live);
  },
);
