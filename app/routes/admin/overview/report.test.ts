import { expect, test } from "vitest";
import { average, credits, percent, whole } from "./report.server.ts";

test.each([
  [whole(1_234_567), "1,234,567"],
  [credits(123_400), "1,234"],
  [credits(123_401), "1,234.01"],
  [percent(1, 3), "33 %"],
  [percent(0, 0), "–"],
  [average(14, 3), "4.7"],
  [average(0, 0), "–"],
])("formats %s", (text, expected) => {
  expect(text).toBe(expected);
});
