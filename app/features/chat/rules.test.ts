import { describe, expect, test } from "vitest";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { chatInput } from "./input.ts";
import { charactersLeft, messageError, withoutMarkup } from "./message-text.ts";
import {
  chatAccess,
  type ChatFacts,
  firstGameText,
  isKept,
  secondsToWait,
  splitLong,
  unreadCount,
  unreadText,
} from "./rules.ts";

const OUT: ChatFacts = {
  status: "Published",
  endsAt: NOW,
  ...{ isIn: false, isAdmin: false, isSuspended: false },
};

test.each<[string, Partial<ChatFacts>, number, string]>([
  ["somebody else", {}, -1, "none"],
  ["a player before the game", { isIn: true }, -100, "write"],
  ["a player a moment before a day is over", { isIn: true }, 23.99, "write"],
  ["a player when a day is over", { isIn: true }, 24, "read-only over"],
  ["an organiser", { isAdmin: true }, 1, "write"],
  ["an organiser when a day is over", { isAdmin: true }, 24, "read-only over"],
  ["a suspended player", { isIn: true, isSuspended: true }, -1, "read-only suspended"],
  ["a suspended player who is not in", { isSuspended: true }, -1, "none"],
  ["a player a moment before 90 days are over", { isIn: true }, 90 * 24 - 0.01, "read-only over"],
  ["a player when 90 days are over", { isIn: true }, 90 * 24, "none"],
  ["an organiser when 90 days are over", { isAdmin: true }, 90 * 24, "none"],
])("%s", (_who, facts, hours, expected) => {
  const access = chatAccess({ ...OUT, ...facts }, hoursLater(hours));
  expect(Object.values(access).join(" ")).toBe(expected);
});

const ago = (...seconds: number[]) => seconds.map((s) => new Date(NOW.getTime() - s * 1_000));
const hourly = (count: number, step: number) =>
  ago(...Array.from({ length: count }, (_, n) => 11 + n * step));

test.each([
  ["nothing was sent", [], 0],
  ["the fourth in ten seconds", ago(1, 2, 3, 4), 0],
  ["the sixth in ten seconds", ago(1, 2, 3, 4, 7), 3],
  ["the sixth just after ten seconds", ago(1, 2, 3, 4, 10), 0],
  ["the sixtieth in an hour", hourly(59, 60), 0],
  ["the sixty-first in an hour", hourly(60, 59), 3_600 - 11 - 59 * 59],
  ["the longer of two waits", [...ago(0, 0, 0, 0, 0), ...hourly(55, 1)], 3_600 - 11 - 54],
])("%s", (_what, sentAt, wait) => {
  expect(secondsToWait(sentAt, NOW)).toBe(wait);
});

test("a chat is kept for 90 days after its game", () => {
  const at = (ms: number) => isKept(NOW, new Date(hoursLater(90 * 24).getTime() + ms));
  expect([at(-1), at(0), isKept(NOW, NOW)]).toEqual([true, false, true]);
});

test.each([
  [1, "1", "1 unread message"],
  [2, "2", "2 unread messages"],
  [9, "9", "9 unread messages"],
  [10, "9+", "9+ unread messages"],
  [500, "9+", "9+ unread messages"],
])("%i messages not read yet are shown as %s", (count, badge, words) => {
  expect([unreadCount(count), unreadText(count)]).toEqual([badge, words]);
});

test("a first game is announced by first name", () => {
  expect(firstGameText("Ada")).toBe("This is Ada's first game. Say hi!");
});

describe("a message", () => {
  const typed = (message: string) => {
    const read = chatInput.safeParse({ message });
    return read.success ? read.data.message : read.error.issues[0]!.message;
  };
  const LONG = "Message is too long (max 500 characters)";
  const EMPTY = "Message cannot be empty";

  // spec: 5.10, 9.13
  test.each([
    ["", EMPTY],
    [" \n\t ", EMPTY],
    ["<b></b>", EMPTY],
    ["\u200b\u202e", EMPTY],
    // Letters, marks and symbols that are blank.
    ...["\u3164", "\u2800", "\u034f", "\ufe0f"].map((blank): [string, string] => [blank, EMPTY]),
    ["x".repeat(500), "x".repeat(500)],
    ["x".repeat(501), LONG],
    [`<b>${"x".repeat(500)}</b>`, "x".repeat(500)],
    ["漢".repeat(501), LONG],
    ["😀".repeat(500), "😀".repeat(500)],
    ["😀".repeat(501), LONG],
    ["𠜎".repeat(500), "𠜎".repeat(500)],
    // Hangul as some keyboards send it: three letters to a syllable, which are composed.
    ["각".normalize("NFD").repeat(500), "각".repeat(500)],
    ["각".normalize("NFD").repeat(501), LONG],
    [`${"x".repeat(499)}\r\ny`, LONG],
    [`${"x".repeat(498)}\r\ny`, `${"x".repeat(498)}\ny`],
    ["<b>Hello</b> you", "Hello you"],
    ["<https://a.example/map?a=1&b=2> is the map", "https://a.example/map?a=1&b=2 is the map"],
    ["Write Leo <leo@uni.example> please", "Write Leo leo@uni.example please"],
    ["<scr<https://a.example>ipt>x", "x"],
    ["<a href=www.a.example>x", "x"],
    ["I <3 you, 5 > 3 and a < b", "I <3 you, 5 > 3 and a < b"],
    ["Call +358 40 123 4567, Otakaari 1", "Call +358 40 123 4567, Otakaari 1"],
    ["one\r\ntwo\n\n\n\n\nthree", "one\ntwo\n\nthree"],
    ["a\u0000b\u0007c", "a b c"],
    ["👩‍👩‍👧‍👦 ok", "👩‍👩‍👧‍👦 ok"],
  ])("%j", (message, expected) => {
    expect(typed(message)).toBe(expected);
  });

  test("of no hostile text is a whole tag left, and none breaks the limit", () => {
    for (const { text } of allHostileTexts()) {
      const message = typed(text);
      expect(message).not.toMatch(/<[/!?a-z][^<>]*>/i);
      expect([...message].length).toBeLessThanOrEqual(500);
    }
  });

  test("tags inside of tags are taken away in one pass", () => {
    expect(withoutMarkup("<scr<script>ipt>x")).toBe("x");
    expect(withoutMarkup(`${"<b".repeat(20_000)}${">".repeat(20_000)}`)).toBe("");
    for (const text of [
      "<>".repeat(30_000),
      "a<>b",
      "1 > 0",
      "a>b",
      "<3 and 5>",
      "<👩>",
      "<b",
      'x‹"…">',
    ]) {
      expect(withoutMarkup(text)).toBe(text);
    }
  });
});

describe("what the page says before it is sent", () => {
  test.each([
    ["", "Message cannot be empty"],
    [" \u200b\n", "Message cannot be empty"],
    ["<b></b>", "Message cannot be empty"],
    ["x", null],
    ["x".repeat(500), null],
    ["x".repeat(501), "Message is too long (max 500 characters)"],
    [`x${"\n".repeat(600)}x`, null],
  ])("%j", (typed, error) => {
    expect(messageError(typed)).toBe(error);
  });

  test("is what the server says, of all hostile texts and of long ones in any form", () => {
    const LETTERS = ["x", "漢", "😀", "é".normalize("NFD"), "각".normalize("NFD"), "Z\u0323\u0300"];
    const long = LETTERS.flatMap((letter) => [250, 499, 500, 501].map((n) => letter.repeat(n)));
    for (const typed of [...allHostileTexts().map(({ text }) => text), ...long]) {
      const { error } = chatInput.safeParse({ message: typed });
      expect(messageError(typed), typed).toBe(error?.issues[0]!.message ?? null);
    }
  });

  test("is counted by what is stored of it", () => {
    expect(charactersLeft("x".repeat(452))).toBe(48);
    expect(charactersLeft("x".repeat(544))).toBe(-44);
    expect(charactersLeft("😀".repeat(452))).toBe(48);
    expect(charactersLeft("각".normalize("NFD").repeat(452))).toBe(48);
    expect(charactersLeft(`<b>one</b>${"\n".repeat(9)} `)).toBe(497);
    expect(charactersLeft(`a\nb${"\n".repeat(9)}c`)).toBe(500 - "a\nb\n\nc".length);
  });
});

describe("a long message", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");
  test.each([
    ["fifteen lines are shown", lines(15), 15],
    ["of sixteen lines twelve", lines(16), 12],
    ["a paragraph counts by its length", `${"word ".repeat(60)}\n${lines(9)}`, 5],
    ["twelve, and none of the paragraph below", `${lines(12)}\n${"word ".repeat(60)}`, 12],
  ])("%s", (_, body, shown) => {
    const [start, rest] = splitLong(body);
    expect(start.split("\n")).toHaveLength(shown);
    expect([start, rest].filter(Boolean).join("\n")).toBe(body);
  });

  test("is cut between two words, and loses nothing", () => {
    const body = "word ".repeat(1_000).trim();
    const [start, rest] = splitLong(body);
    expect(start).toMatch(/word$/);
    expect(`${start} ${rest}`).toBe(body);
  });

  test.each([
    ["letters", "x", 480],
    ["emoji", "👩‍👩‍👧‍👦", 192],
    ["characters of two cells", "漢", 192],
  ])("of %s without a space is cut between two of them", (_, character, count) => {
    const [start, rest] = splitLong(character.repeat(700));
    expect(start).toBe(character.repeat(count));
    expect(start + rest).toBe(character.repeat(700));
  });
});
