import { expect, test } from "vitest";
import {
  addressOf,
  gameIdAt,
  isEmail,
  mailtoOf,
  pauseBeforeMail,
  personOf,
  secondsToWait,
  tooManyAttempts,
} from "./rules.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);

test.each([
  [0, 0, 0],
  [4, 0, 0],
  [5, 0, 1],
  [5, 1, 1],
  [5, 1_000, 0],
  [6, 0, 2],
  [7, 500, 4],
  [8, 0, 8],
  [11, 0, 60],
  [500, 0, 60],
  [500, 59_000, 1],
  [500, 60_000, 0],
])("after %i failures, the last one %i ms ago, one waits %i s", (failures, ms, seconds) => {
  expect(secondsToWait(failures, ago(ms), now)).toBe(seconds);
});

test("a clock that runs ahead never extends the delay", () => {
  expect(secondsToWait(5, new Date("2026-11-22T12:00:00Z"), now)).toBe(1);
});

test("the wait is shown in seconds or minutes", () => {
  expect(tooManyAttempts(8)).toBe("Too many attempts. Try again in 8 seconds.");
  expect(tooManyAttempts(1)).toBe("Too many attempts. Try again in 1 second.");
});

test.each([
  ["ann@uni.example", "ann@uni.example"],
  ["Ann+Futsal@uni.example", "ann@uni.example"],
  ["ann+a+b@uni.example", "ann@uni.example"],
  ["ann+@uni.example", "ann@uni.example"],
  ["+tag@uni.example", "+tag@uni.example"],
  ["+tag+more@uni.example", "+tag+more@uni.example"],
  ["ann@a+b.example", "ann@a+b.example"],
])("where tags are the same, %s is the person of %s", (email, person) => {
  expect(personOf(email, "same")).toBe(person);
});

test("with distinct tags a person is identified by the whole address", () => {
  expect(personOf("Ann+Futsal@uni.example", "distinct")).toBe("ann+futsal@uni.example");
});

test.each([
  [0, 0, 0],
  [2, 10, 0],
  [3, 0, 15],
  [4, 9, 30],
  [9, 9, 600],
  [50, 9, 600],
  [3, 10, null],
])("%i mails of the last hour, %i waiting: %s seconds", (recent, waiting, seconds) => {
  expect(pauseBeforeMail({ recent, waiting })).toBe(seconds);
});

const GAME = "6e1f0d52-8a3e-4a44-9d3c-0f3e0d7a1b11";
test.each([
  [`/events/${GAME}`, GAME],
  [`/events/${GAME}?friend=x`, GAME],
  [`/events/${GAME}#chat`, GAME],
  [`/events/${GAME.toUpperCase()}`, GAME.toUpperCase()],
  [`/events/${GAME}/chat`, null],
  [`/events/${GAME}0`, null],
  [`/admin/events/${GAME}`, null],
  [`https://evil.example/events/${GAME}`, null],
  ["/events/win-a-prize-and-write-to-evil-example", null],
  ["/events/a", null],
  ["/events", null],
  ["", null],
  [null, null],
  [undefined, null],
])("the path %s is of the game %s", (path, gameId) => {
  expect(gameIdAt(path)).toBe(gameId);
});

test.each([
  ...[
    "ann@uni.example",
    "a&b@uni.example",
    "a/b@uni.example",
    "a~b@uni.example",
    "o'neill@u.example",
  ],
  ...["ann.o-neill+x@a-b.uni.example", "a`{|}!#$%*=?^_b@uni.example", "ann@localhost", "1@2.3"],
])("%s is an email address", (address) => {
  expect(isEmail(address)).toBe(true);
});

test.each([
  ...[
    "",
    "@",
    "ann",
    "ann@",
    "@uni.example",
    "a@b@uni.example",
    "ann @uni.example",
    "ann@uni .example",
  ],
  ...[
    ".ann@uni.example",
    "ann.@uni.example",
    "a..n@uni.example",
    "ann@.example",
    "ann@uni..example",
  ],
  ...["ann@-uni.example", "ann@uni-.example", `ann@${"x".repeat(64)}.example`, "ann@uni_x.example"],
  ...[
    '"ann"@uni.example',
    "ann@[127.0.0.1]",
    "änn@uni.example",
    "a,b@uni.example",
    "<ann@uni.example>",
  ],
])("%j is no email address", (address) => {
  expect(isEmail(address)).toBe(false);
});

test.each([
  ["<ann@uni.example>", "ann@uni.example"],
  ["Ann O'Neill <Ann@Uni.example>", "ann@uni.example"],
  ['"Neill, Ann" <ann@uni.example>,', "ann@uni.example"],
  ["mailto:ann@uni.example", "ann@uni.example"],
  [" ann@uni.example ", "ann@uni.example"],
  ["<b>ann@uni.example</b>", "ann@uni.example"],
])("of %j the address is %j", (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test("a link to write to an address has no sign of it that means something else there", () => {
  const { pathname, search } = new URL(mailtoOf("a&b?c#d%e@uni.example"));
  expect([decodeURIComponent(pathname), search]).toEqual(["a&b?c#d%e@uni.example", ""]);
});
