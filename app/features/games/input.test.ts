import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { planInput, weeksInput } from "./input.ts";
import type { GamePlan } from "./plan.ts";

const VENUE = "0b9d3c1e-8b7a-4c55-9f10-7a0c5e1d2f34";
const PLAN: GamePlan = {
  title: "Indoor futsal",
  description: "Bring\nshoes",
  sport: "Futsal",
  date: "2026-12-02",
  startTime: "19:00",
  endTime: "20:30",
  venueId: VENUE,
  maxPlayers: 10,
  gameFormat: "5v5",
  isOutdoor: false,
  priceCents: 950,
  isFirstSessionFree: false,
  level: "Relaxed",
  playerNotes: "Code\n4711",
  minPlayers: 8,
  decidesHours: 2.5,
};
const FORM = {
  title: " Indoor\nfutsal ",
  description: " Bring\r\nshoes ",
  sport: "Futsal",
  date: "2026-12-02",
  startTime: "19:00:00",
  endTime: "20:30",
  venueId: VENUE,
  maxPlayers: "10",
  gameFormat: "5v5",
  surroundings: "indoor",
  priceEur: " 9,5 ",
  level: "Relaxed",
  playerNotes: " Code\r\n4711 ",
  minPlayers: " 8 ",
  decidesHours: " 2,5 ",
};
const check = (wish: object) => checkForm(planInput, { ...FORM, ...wish });

describe("the form of a game", () => {
  test.each([
    [{}, {}],
    [{ surroundings: "outdoor" }, { isOutdoor: true }],
    [{ isFirstSessionFree: "on" }, { isFirstSessionFree: true }],
    [{ priceEur: "10" }, { priceCents: 1_000 }],
    [{ priceEur: "0.05" }, { priceCents: 5 }],
    [{ priceEur: "9999.99" }, { priceCents: 999_999 }],
    [{ maxPlayers: "1" }, { maxPlayers: 1 }],
    [{ maxPlayers: "200" }, { maxPlayers: 200 }],
    [
      { startTime: "00:00", endTime: "23:59" },
      { startTime: "00:00", endTime: "23:59" },
    ],
    [
      { startTime: "23:00", endTime: "01:00" },
      { startTime: "23:00", endTime: "01:00" },
    ],
    [{ title: "x".repeat(120) }, { title: "x".repeat(120) }],
    [{ description: "x".repeat(2_000) }, { description: "x".repeat(2_000) }],
    [{ description: undefined }, { description: "" }],
    [{ level: "" }, { level: null }],
    [{ level: "Hard" }, { level: null }],
    [{ level: undefined }, { level: null }],
    [{ playerNotes: undefined }, { playerNotes: "" }],
    [{ playerNotes: "x".repeat(2_000) }, { playerNotes: "x".repeat(2_000) }],
    [
      { minPlayers: " ", decidesHours: "2" },
      { minPlayers: null, decidesHours: 3 },
    ],
    [
      { minPlayers: undefined, decidesHours: undefined },
      { minPlayers: null, decidesHours: 3 },
    ],
    [{ decidesHours: "" }, { decidesHours: 3 }],
    [{ decidesHours: "0.5" }, { decidesHours: 0.5 }],
    [{ decidesHours: "1.25" }, { decidesHours: 1.25 }],
    [{ decidesHours: "168" }, { decidesHours: 168 }],
  ])("with %.40j is a plan", (wish, expected) => {
    expect(check(wish)).toEqual({ ok: true, input: { ...PLAN, ...expected } });
  });

  const PRICE = "Enter a price such as 10 or 9.50";
  const MINIMUM = "Minimum players must be a whole number from 1 to 200";
  const DECIDED = "Enter hours from 0.5 to 168, such as 3 or 2.5";
  const PLAYERS = "Players must be a whole number from 1 to 200";
  test.each([
    ["title", " ", "Title is required"],
    ["title", "x".repeat(121), "Title can have at most 120 characters"],
    ["description", "x".repeat(2_001), "Description can have at most 2000 characters"],
    ["sport", "", "Sport is required"],
    ["sport", "x".repeat(41), "Sport can have at most 40 characters"],
    ["date", "2026-02-30", "Enter a date with the whole year, such as 31.12.2026"],
    ["date", "0026-12-20", "Enter a date with the whole year, such as 31.12.2026"],
    ["date", "9999-12-31", "Enter a date with the whole year, such as 31.12.2026"],
    ["startTime", "24:00", "Enter when it starts, such as 18:00"],
    ["startTime", "x19:00", "Enter when it starts, such as 18:00"],
    ["startTime", "19:00x", "Enter when it starts, such as 18:00"],
    ["startTime", "19:60", "Enter when it starts, such as 18:00"],
    ["endTime", "", "Enter when it ends, such as 19:30"],
    ["endTime", "19:00", "A game cannot end when it starts"],
    ["venueId", "x", "Choose a venue"],
    ["maxPlayers", "0", PLAYERS],
    ["maxPlayers", "201", PLAYERS],
    ["maxPlayers", "1.5", PLAYERS],
    ["maxPlayers", "x1", PLAYERS],
    ["maxPlayers", "00010", PLAYERS],
    ["gameFormat", "", "Format is required"],
    ["gameFormat", "x".repeat(21), "Format can have at most 20 characters"],
    ["surroundings", "", "Choose indoor or outdoor"],
    ["priceEur", "", PRICE],
    ["priceEur", "x9", PRICE],
    ["priceEur", "9x", PRICE],
    ["priceEur", "9.999", PRICE],
    ["priceEur", "10000", PRICE],
    ["priceEur", "9.", PRICE],
    ["minPlayers", "0", MINIMUM],
    ["minPlayers", "201", MINIMUM],
    ["minPlayers", "x", MINIMUM],
    ["decidesHours", "0", DECIDED],
    ["decidesHours", "0.4", DECIDED],
    ["decidesHours", "168.01", DECIDED],
    ["decidesHours", "2.555", DECIDED],
    ["decidesHours", "x", DECIDED],
    ["decidesHours", "x3", DECIDED],
  ])("with %s %.10j says: %s", (field, value, message) => {
    expect(check({ [field]: value })).toEqual({ ok: false, errors: { [field]: message } });
  });

  const WEEKS = "Weeks must be a whole number from 1 to 26";
  test.each([
    [undefined, { ok: true, input: { weeks: 1 } }],
    ["26", { ok: true, input: { weeks: 26 } }],
    ["0", { ok: false, errors: { weeks: WEEKS } }],
    ["27", { ok: false, errors: { weeks: WEEKS } }],
  ])("%s weeks", (weeks, expected) => {
    expect(checkForm(weeksInput, { weeks })).toEqual(expected);
  });
});
