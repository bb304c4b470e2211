import { expect, test } from "vitest";
import { manyLines, oneLine } from "./lines.ts";

test.each([
  [" Campus\r\n\0Gym\t", "Campus Gym", "Campus\n Gym"],
  ["a\rb\u0007c\u009fd", "a b c d", "a\nb c d"],
  ["one\ttwo", "one two", "one\ttwo"],
  ["Töölö  ⚽", "Töölö  ⚽", "Töölö  ⚽"],
  [" \0 ", "", ""],
])("%j on one line and on several", (text, one, many) => {
  expect(oneLine(text)).toBe(one);
  expect(manyLines(text)).toBe(many);
});
