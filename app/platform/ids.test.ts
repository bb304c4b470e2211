import { expect, test } from "vitest";
import { formKeyOf, isId } from "./ids.ts";

const ID = "0b9d3c1e-8b7a-4c55-9f10-7a0c5e1d2f34";

test.each([
  [ID, true],
  [ID.toUpperCase(), true],
  [`x${ID}`, false],
  [`${ID}x`, false],
  [ID.replaceAll("-", ""), false],
  [ID.replace("0b", "0g"), false],
  ["", false],
  [null, false],
  [undefined, false],
  [[ID], false],
])("%j can be an id: %s", (text, expected) => {
  expect(isId(text)).toBe(expected);
  expect(formKeyOf(text)).toBe(expected ? ID : undefined);
});
