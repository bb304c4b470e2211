import { expect, test } from "vitest";
import { createSeal, openToken, sealToken } from "./seal.server.ts";

const seal = createSeal("a secret of at least 32 characters");
const TOKEN = "Zm9vYmFyYmF6_-Zm9v";

test("a sealed token opens with the same secret only, and is another text each time", () => {
  const sealed = seal.close(TOKEN);
  expect(sealed).not.toContain(TOKEN);
  expect(seal.close(TOKEN)).not.toBe(sealed);
  expect(seal.open(sealed)).toBe(TOKEN);
  expect(createSeal("another secret of 32 characters!!").open(sealed)).toBeNull();
});

test.each([
  ["a changed character", (text: string) => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A")],
  ["a lost end", (text: string) => text.slice(0, -4)],
  ["nothing", () => "sealed:"],
])("%s does not open", (_, change) => {
  // With 32 bytes the whole is 60, full base64url groups: every character of the end counts.
  expect(seal.open(change(seal.close("123456789012345678901234567890ab")))).toBeNull();
});

test("jobs from before, and those without a token, are as they were", () => {
  expect(seal.open(TOKEN)).toBe(TOKEN);
  expect(sealToken(seal, { bookingId: "1" })).toEqual({ bookingId: "1" });
  expect(openToken(seal, { userId: "1", token: TOKEN })).toEqual({ userId: "1", token: TOKEN });
  expect(openToken(seal, { userId: "1", token: "sealed:x" })).toBeNull();
});
