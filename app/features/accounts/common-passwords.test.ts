import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isCommonPassword, isMadeOf } from "./common-passwords.server.ts";
import { newPassword } from "./input.ts";

const COMMON = "This password is too common. Please choose another one";
const listed = readFileSync(path.join(import.meta.dirname, "common-passwords.txt"), "utf8")
  .trim()
  .split("\n");

/** As somebody types it who was told to use both cases. */
function capitalized(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

// spec: 5.6
test("at least 3,000 common passwords that the other rules let through are refused", () => {
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

test("a word without letters makes no password common", () => {
  expect(isMadeOf("12345678", ["1234"])).toBe(false);
});
