import { expect, test } from "vitest";
import { open, seal } from "./secrets.server.ts";

const SECRET = "a secret of at least 32 characters";

test("what was sealed opens under its secret and label, and reads differently each time", () => {
  const sealed = seal(SECRET, "test", "Hyvää päivää");
  expect(open(SECRET, "test", sealed)).toBe("Hyvää päivää");
  expect(sealed).not.toBe(seal(SECRET, "test", "Hyvää päivää"));
  expect(open(SECRET, "test", seal(SECRET, "test", ""))).toBe("");
});

test("another secret, another label, a changed byte or nonsense open nothing", () => {
  const sealed = seal(SECRET, "test", "text");
  expect(open(`${SECRET}!`, "test", sealed)).toBeNull();
  expect(open(SECRET, "other", sealed)).toBeNull();
  const bytes = Buffer.from(sealed, "base64url");
  bytes[bytes.length - 1]! ^= 1;
  expect(open(SECRET, "test", bytes.toString("base64url"))).toBeNull();
  expect(open(SECRET, "test", "")).toBeNull();
  expect(open(SECRET, "test", "nonsense")).toBeNull();
});
