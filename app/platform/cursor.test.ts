import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./cursor.server.ts";

test("a written cursor is read back", () => {
  const keys = ["2026-11-21T10:00:00.000Z", "Åäö ' \"%"];
  const word = writeCursor(keys);
  expect(encodeURIComponent(word)).toBe(word);
  expect(readCursor(word, 2)).toEqual(keys);
});

test.each([
  null,
  "",
  "%%%",
  "bm8",
  writeCursor(["one"]),
  writeCursor(["one", "two", "three"]),
  writeCursor(["a\0b", "c"]),
  Buffer.from('[1,"two"]').toString("base64url"),
  Buffer.from('[["one"],"two"]').toString("base64url"),
  Buffer.from('{"length":2}').toString("base64url"),
])("%j begins at the top", (word) => {
  expect(readCursor(word, 2)).toBeNull();
});
