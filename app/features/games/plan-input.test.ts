import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { parseAdminGameFilter } from "./filters.ts";
import { changedFields, planAlike, touchesPlayers } from "./plan.ts";
import { aPlan } from "#test/games.ts";
import { planInput, weeksInput } from "./input.ts";
import { slotProblem, kickOff, missingTime, shiftSlot, endDate } from "./time-slots.ts";

const VENUE = "0b9d3c1e-8b7a-4c55-9f10-7a0c5e1d2f34";
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
};
const PLAN = aPlan(VENUE, { description: "Bring\nshoes", priceCents: 950 });
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
  ])("with %.40j is a plan", (wish, expected) => {
    expect(check(wish)).toEqual({ ok: true, input: { ...PLAN, ...expected } });
  });

  const PRICE = "Enter a price such as 10 or 9.50";
  const PLAYERS = "Players must be a whole number from 1 to 200";
  test.each([
    ["title", " ", "Title is required"],
    ["title", "x".repeat(121), "Title can have at most 120 characters"],
    ["description", "x".repeat(2_001), "Description can have at most 2000 characters"],
    ["sport", "", "Sport is required"],
    ["sport", "x".repeat(41), "Sport can have at most 40 characters"],
    ["date", "2026-02-30", "Enter a date"],
    ["startTime", "24:00", "Enter when it starts"],
    ["startTime", "x19:00", "Enter when it starts"],
    ["startTime", "19:00x", "Enter when it starts"],
    ["startTime", "19:60", "Enter when it starts"],
    ["endTime", "", "Enter when it ends"],
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

describe("a changed plan", () => {
  test.each([
    ["date", "2026-12-03", true],
    ["startTime", "18:30", true],
    ["endTime", "21:00", true],
    ["venueId", "another", true],
    ["maxPlayers", 12, true],
    ["isFirstSessionFree", true, true],
    ["title", "Futsal", false],
    ["description", "Shoes", false],
    ["sport", "Football", false],
    ["gameFormat", "6v6", false],
    ["isOutdoor", true, false],
    ["priceCents", 950, false],
  ])("in its %s: %s matters to its players: %s", (field, value, matters) => {
    const [from, to] = [aPlan(VENUE), { ...aPlan(VENUE), [field]: value }];
    expect(changedFields(from, to)).toEqual([field]);
    expect(touchesPlayers(from, to)).toBe(matters);
  });

  test("is empty for the same plan", () => {
    expect(changedFields(aPlan(VENUE), aPlan(VENUE))).toEqual([]);
    expect(touchesPlayers(aPlan(VENUE), aPlan(VENUE))).toBe(false);
  });

  test("applies to another game of the series, which keeps its own values", () => {
    const own = aPlan("own venue", { date: "2026-12-09", title: "Own title", maxPlayers: 8 });
    const change = { from: aPlan(VENUE), to: aPlan(VENUE, { date: "2026-12-03", maxPlayers: 12 }) };
    expect(planAlike(own, change)).toEqual({ ...own, date: "2026-12-10", maxPlayers: 12 });
    const shorter = { from: aPlan(VENUE), to: aPlan(VENUE, { endTime: "19:30" }) };
    expect(planAlike({ ...own, endTime: "19:30" }, shorter)).toBeNull();
  });
});

describe("a slot", () => {
  const slot = { date: "2026-12-02", startTime: "19:00", endTime: "20:30" };
  test.each([
    ["2026-12-02T16:59:59.999Z", null],
    ["2026-12-02T17:00:00Z", { reason: "past", date: "2026-12-02" }],
  ])("at 19:00, asked at %s", (now, problem) => {
    expect(slotProblem(slot, new Date(now))).toEqual(problem);
  });

  test.each([
    ["03:30", "05:00", { date: "2027-03-28", time: "03:30" }],
    ["02:30", "03:30", { date: "2027-03-28", time: "03:30" }],
    ["02:30", "04:30", null],
  ])("of the night of 23 hours from %s to %s", (startTime, endTime, missing) => {
    const night = { date: "2027-03-28", startTime, endTime };
    const now = new Date("2026-12-02T10:00:00Z");
    expect(missingTime(night)).toEqual(missing);
    expect(slotProblem(night, now)).toEqual(missing && { reason: "no-such-time", ...missing });
  });

  test("of an hour that comes twice is the second", () => {
    const twice = kickOff({ date: "2026-10-25", startTime: "03:30" });
    expect(twice).toEqual(new Date("2026-10-25T01:30:00Z"));
  });

  test("ends on the next day where its end is before its start", () => {
    expect(endDate(slot)).toBe("2026-12-02");
    expect(endDate({ ...slot, endTime: "18:59" })).toBe("2026-12-03");
    expect(endDate({ ...slot, endTime: "19:00" })).toBe("2026-12-02");
  });

  const lengthened = (minutes: string) => ({ from: slot, to: { ...slot, endTime: minutes } });
  test.each([
    ["shorter by 89 minutes", "19:01", { endTime: "19:01" }],
    ["longer, to a minute less than a day", "18:59", { endTime: "18:59" }],
  ])("is %s", (_, endTime, expected) => {
    expect(shiftSlot(slot, lengthened(endTime))).toEqual({ ...slot, ...expected });
  });

  test.each([
    ["nothing is left", "20:00", "19:30"],
    ["less than nothing is left", "19:40", "19:30"],
    ["it lasts a day", "18:30", "21:00"],
    ["it lasts more than a day", "18:45", "21:00"],
  ])("cannot be shifted where %s", (_, ownEnd, to) => {
    const change = to === "19:30" ? { ...slot, endTime: "19:30" } : { ...slot, endTime: to };
    expect(shiftSlot({ ...slot, endTime: ownEnd }, { from: slot, to: change })).toBeNull();
  });
});

describe("the filter of all games", () => {
  const nothing = { when: "to-come", status: null, venueId: null, city: null };
  test.each([
    ["", {}],
    ["when=past", { when: "past" }],
    ["when=all", { when: "all" }],
    ["when=soon", {}],
    ["status=Draft", { status: "Draft" }],
    ["status=Published", { status: "Published" }],
    ["status=Cancelled", { status: "Cancelled" }],
    ["status=Completed", {}],
    [`venue=${VENUE}`, { venueId: VENUE }],
    ["venue=x", {}],
    ["city=Es%00poo", { city: "Espoo" }],
    [`city=${"x".repeat(61)}`, { city: "x".repeat(60) }],
  ])("%.20s", (query, expected) => {
    expect(parseAdminGameFilter(new URLSearchParams(query))).toEqual({ ...nothing, ...expected });
  });
});
