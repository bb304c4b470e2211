import { expect, test } from "vitest";
import { ownPath } from "./picture.tsx";

test.each(["/photos/hall-1-800.webp", "/files/avatars/1f-512.webp", "/a?b=c"])(
  "%s is ours",
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

test.each([
  ...[
    "https://evil.example/x.png",
    "//evil.example/x.png",
    "/\\evil.example",
    "javascript:alert(1)",
  ],
  ...["data:image/png;base64,", "x.png", "", "/a\nb", "/a\\b", "http://["],
])("%j is not", (address) => {
  expect(ownPath(address)).toBeNull();
});

test("no address is none", () => expect([ownPath(null), ownPath(undefined)]).toEqual([null, null]));
