import { expect, test } from "vitest";
import { phoneText } from "./phone.server.ts";

test.each<[typed: string, kept: string]>([
  ...["0401234567", "040 123 4567", "040.123.4567", "(040) 123-4567", "+358401234567"].map(
    (typed): [string, string] => [typed, "+358 40 1234567"],
  ),
  ["00358 40 1234567", "+358 40 1234567"],
  ["+358 (0)40 123 4567", "+358 40 1234567"],
  ["09/123 456", "+358 9 123456"],
  ["+46701234567", "+46 70 123 45 67"],
  // Nobody knows of which country: nothing is lost.
  ...["12345", "(555) 010-0199", "07911 123456", "+1 555 010 0199", ""].map(
    (typed): [string, string] => [typed, typed],
  ),
])("the phone number %j is kept as %j", (typed, kept) => {
  expect(phoneText(typed)).toBe(kept);
  expect(phoneText(kept)).toBe(kept);
});
