import { describe, expect, test } from "vitest";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { chatInput } from "./input.ts";
import {
  chatAccess,
  type ChatFacts,
  linkParts,
  removalBy,
  secondsToWait,
  withoutMarkup,
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
  ["a player of a cancelled game", { isIn: true, status: "Cancelled" }, 23.99, "write"],
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

test.each([
  ["an author", { userId: "a", isAdmin: false }, "Author"],
  ["an author who organises", { userId: "a", isAdmin: true }, "Author"],
  ["an organiser", { userId: "b", isAdmin: true }, "Organiser"],
  ["somebody else", { userId: "b", isAdmin: false }, null],
])("%s may remove a message", (_who, viewer, by) => {
  expect(removalBy({ userId: "a" }, viewer)).toBe(by);
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
    ["x".repeat(500), "x".repeat(500)],
    ["x".repeat(501), LONG],
    [`<b>${"x".repeat(500)}</b>`, "x".repeat(500)],
    ["漢".repeat(501), LONG],
    ["<b>Hello</b> you", "Hello you"],
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
      expect(message.length).toBeLessThanOrEqual(500);
    }
  });

  test("tags inside of tags are taken away in one pass", () => {
    expect(withoutMarkup("<scr<script>ipt>x")).toBe("x");
    expect(withoutMarkup(`${"<b".repeat(20_000)}${">".repeat(20_000)}`)).toBe("");
  });
});

describe("a link", () => {
  const link = (text: string, href = text) => ({ text, href });
  test.each([
    ["no link here", [{ text: "no link here" }]],
    ["https://a.example/", [link("https://a.example/")]],
    [
      "see https://a.example/x?y=1#z.",
      [{ text: "see " }, link("https://a.example/x?y=1#z"), { text: "." }],
    ],
    [
      "(http://a.example/b), ok",
      [{ text: "(" }, link("http://a.example/b"), { text: ")," }, { text: " ok" }],
    ],
    ["javascript:alert(1)", [{ text: "javascript:alert(1)" }]],
    ["ftp://a.example", [{ text: "ftp://a.example" }]],
    ["http://[", [{ text: "http://[" }]],
    ["https://a.example/\u202eb", [link("https://a.example/"), { text: "\u202eb" }]],
    ["+358 40 123 4567", [{ text: "+358 40 123 4567" }]],
  ])("%j", (body, parts) => {
    expect(linkParts(body)).toEqual(parts);
  });

  test("loses nothing of any hostile text, and leads to the web only", () => {
    for (const { text } of allHostileTexts()) {
      const parts = linkParts(text);
      expect(parts.map((part) => part.text).join("")).toBe(text);
      for (const { href } of parts) expect(href ?? "https:").toMatch(/^https?:/);
    }
  });
});
