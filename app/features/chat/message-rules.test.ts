import { expect, test } from "vitest";
import {
  firstCharacters,
  hiddenText,
  isFolded,
  mayBlock,
  mayPin,
  mayReport,
  removalBy,
} from "./message-rules.ts";

const PLAYER = { userId: "viewer", isAdmin: false };
const ORGANISER = { userId: "viewer", isAdmin: true };

test.each([
  ["an author", "Author", { userId: "a", isAdmin: false }],
  ["an author who organises", "Author", { userId: "a", isAdmin: true }],
  ["an organiser", "Organiser", { userId: "b", isAdmin: true }],
  ["somebody else", null, { userId: "b", isAdmin: false }],
])("%s may remove a message as: %s", (_, by, viewer) => {
  expect(removalBy({ userId: "a" }, viewer)).toBe(by);
});

test.each([
  ["a player's message", true, { userId: "other", kind: "Text" }],
  ["one's own message", false, { userId: "viewer", kind: "Text" }],
  ["a message of a deleted account", false, { userId: null, kind: "Text" }],
  ["an announcement", false, { userId: "other", kind: "Announcement" }],
  ["one's own announcement", false, { userId: "viewer", kind: "Announcement" }],
  ["the line of a first game", false, { userId: "other", kind: "FirstGame" }],
  ["that line of a deleted account", false, { userId: null, kind: "FirstGame" }],
] as const)("%s may be reported and its author blocked: %s", (_, expected, message) => {
  expect(mayReport(message, PLAYER)).toBe(expected);
  expect(mayBlock(message, PLAYER)).toBe(expected);
});

test("organisers remove messages and do not report them; they may block like everybody", () => {
  const message = { userId: "other", kind: "Text" } as const;
  expect(mayReport(message, ORGANISER)).toBe(false);
  expect(mayBlock(message, ORGANISER)).toBe(true);
});

test.each([
  ["a blocked player's message", true, "blocked", "Text"],
  ["another player's message", false, "other", "Text"],
  ["a message of a deleted account", false, null, "Text"],
  ["a blocked organiser's announcement", false, "blocked", "Announcement"],
  ["a blocked player's first game", false, "blocked", "FirstGame"],
  ["another's announcement", false, "other", "Announcement"],
] as const)("%s is folded: %s", (_, expected, userId, kind) => {
  expect(isFolded({ userId, kind }, ["nobody", "blocked"])).toBe(expected);
});

test.each([
  ["an organiser an announcement", true, true, "Announcement", false],
  ["an organiser a removed announcement", false, true, "Announcement", true],
  ["an organiser a player's message", false, true, "Text", false],
  ["a player an announcement", false, false, "Announcement", false],
  ["a player a message", false, false, "Text", false],
  ["a player a removed message", false, false, "Text", true],
] as const)("%s may pin: %s", (_, expected, isAdmin, kind, isGone) => {
  expect(mayPin({ kind, isGone }, { isAdmin })).toBe(expected);
});

test.each([
  [1, "Message from a player you blocked"],
  [2, "2 messages from a player you blocked"],
])("%i folded messages in a row are %j", (count, words) => {
  expect(hiddenText(count)).toBe(words);
});

test("a text is cut between characters, also between those of two units", () => {
  expect(firstCharacters("⚽👋👋", 2)).toBe("⚽👋");
  expect(firstCharacters("Hi", 9)).toBe("Hi");
});
