import type { ShouldRevalidateFunctionArgs } from "react-router";
import { expect, test } from "vitest";
import { revalidateOnConflict } from "./revalidate-on-conflict.ts";

test.each([
  ["saved", undefined, true, true],
  ["too few credits", 402, false, true],
  ["gone", 404, false, true],
  ["somebody else was first", 409, false, true],
  ["typed wrong", 422, false, false],
  ["failed", 500, false, false],
])("after %s the page is read again: %s, %s, %s", (_what, actionStatus, byDefault, expected) => {
  const args = { defaultShouldRevalidate: byDefault, actionStatus };
  expect(revalidateOnConflict(args as ShouldRevalidateFunctionArgs)).toBe(expected);
});
