import { expect, test, vi } from "vitest";
import { FORMER_HASH } from "#test/accounts.ts";
import { createPasswords, isCommonPassword, isMadeOf } from "./passwords.server.ts";
import { readFileSync } from "node:fs";
import path from "node:path";
import { newPassword } from "./input.ts";

const passwords = createPasswords();
/** Where what a hash costs plays no part. */
const cheap = createPasswords({ log2N: 10, r: 8, p: 1 });

test("a hash is salted, names its parameters and matches only its own password", async () => {
  const [hash, other] = [await passwords.hash("Kickabout1"), await passwords.hash("Kickabout1")];
  expect(hash).toMatch(/^scrypt:15:8:3:[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(other).not.toBe(hash);
  expect(await passwords.verify(hash, "Kickabout1")).toBe(true);
  expect(await passwords.verify(hash, "Kickabout2")).toBe(false);
  expect(passwords.isOutdated(hash)).toBe(false);
});

test("a hash in the former format still matches and counts as outdated", async () => {
  expect(await passwords.verify(FORMER_HASH, "Kickabout1")).toBe(true);
  expect(await passwords.verify(FORMER_HASH, "Kickabout2")).toBe(false);
  expect(passwords.isOutdated(FORMER_HASH)).toBe(true);
});

test("a cheaper hash matches too and counts as outdated", async () => {
  const hash = await cheap.hash("Kickabout1");
  expect(await passwords.verify(hash, "Kickabout1")).toBe(true);
  expect(passwords.isOutdated(hash)).toBe(true);
});

test("a password that looks the same matches, however it was typed", async () => {
  expect(await cheap.verify(await cheap.hash("Pa\u030Assword1"), "P\u00E5ssword1")).toBe(true);
});

test("a password pasted with space around it matches, and the space that is part of one counts", async () => {
  const hash = await cheap.hash("Kickabout1");
  for (const pasted of ["Kickabout1 ", "Kickabout1\r\n", "\u00a0\tKickabout1"]) {
    expect(await cheap.verify(hash, pasted)).toBe(true);
  }
  for (const other of ["Kick about1 ", "Kickabout1 1", "Kickabout "]) {
    expect(await cheap.verify(hash, other)).toBe(false);
  }
  const spaced = await cheap.hash(" Kickabout1 ");
  expect(await cheap.verify(spaced, " Kickabout1 ")).toBe(true);
  expect(await cheap.verify(spaced, "Kickabout1")).toBe(false);
  expect(await cheap.verify(await cheap.hash("Kick1aA"), "Kick1aA ")).toBe(false);
});

test("an overlong password matches nothing and costs no extra work", async () => {
  const long = "a".repeat(128);
  const hash = await cheap.hash(long);
  expect(await cheap.verify(hash, long)).toBe(true);
  expect(await cheap.verify(hash, `${long}b`)).toBe(false);
  const normalize = vi.spyOn(String.prototype, "normalize");
  await cheap.verify(hash, `a${"\u0301\u0316".repeat(30_000)}`);
  for (const given of normalize.mock.contexts) expect(String(given).length).toBeLessThan(129);
  normalize.mockRestore();
});

test.each([null, "", "scrypt:15:8:3::", "nonsense"])(
  "%j as a hash matches no password",
  async (hash) => {
    expect(await cheap.verify(hash, "Kickabout1")).toBe(false);
  },
);

const COMMON = "This password is too common. Please choose another one";
const listed = readFileSync(path.join(import.meta.dirname, "common-passwords.txt"), "utf8")
  .trim()
  .split("\n");

/** Typed by somebody who has to use both cases. */
function capitalized(word: string): string {
  return word.replace(/\p{L}/u, (first) => first.toUpperCase());
}

// spec: 5.6
test("at least 3,000 common passwords that pass the other rules are rejected", () => {
  const messages = listed.map((word) => {
    const result = newPassword.safeParse(capitalized(word));
    return result.error?.issues.map(({ message }) => message).join();
  });
  expect(messages.length).toBeGreaterThanOrEqual(3_000);
  expect(messages.filter((message) => message !== COMMON)).toEqual([]);
});

test.each(["Password1", "Qwerty123", "Aa345678", "Abcd1234", "AAaaaa11", "P\uff41ssword1"])(
  "%s is too common",
  (password) => {
    expect(newPassword.safeParse(password).error?.issues).toMatchObject([{ message: COMMON }]);
  },
);

test.each(["Kickabout1", "Fluffy-7-otters", "Ab1!Zk9#", "Rain1 on the pitch"])(
  "%s is not among them",
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);

test.each([
  ["Kickabout1", true],
  ["KickAbout2026!", true],
  ["Ada.Lovelace1", true],
  ["Adalovelace99", true],
  ["Kickabout-otters1", false],
  ["Ada1lovely", false],
])("%s is made of a word of the site or the account: %s", (password, expected) => {
  expect(isMadeOf(password, ["Kickabout", "Example University", "ada.lovelace"])).toBe(expected);
});

test("a context word of digits alone makes no password common", () => {
  expect(isMadeOf("12345678", ["1234"])).toBe(false);
});
