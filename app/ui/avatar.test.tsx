import { expect, test } from "vitest";
import { renderPage, textOf } from "#test/screen.tsx";
import { Avatar } from "./avatar.tsx";

test.each([
  ["Ada King Byron", "AB"],
  ["åsa öhmän", "ÅÖ"],
  ["Ada", "A"],
  ["김 민준", "김민"],
  ["محمد عبد الرحمن", "م ا"],
])("the initials of %s are %s, and are no word", (name, initials) => {
  expect(textOf(renderPage(Avatar, { name }))).toBe(`|${initials}|`);
});
