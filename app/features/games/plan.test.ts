import { describe, expect, test } from "vitest";
import {
  changedFields,
  type GamePlan,
  changesSlot,
  planAlike,
  planColumns,
  planOf,
  touchesPlayers,
} from "./plan.ts";

const PLAN: GamePlan = {
  title: "Indoor futsal",
  description: "Bring shoes",
  sport: "Futsal",
  date: "2026-12-02",
  startTime: "19:00",
  endTime: "20:30",
  venueId: "venue-1",
  maxPlayers: 10,
  gameFormat: "5v5",
  isOutdoor: false,
  priceCents: 1_000,
  isFirstSessionFree: false,
  level: "Relaxed",
  playerNotes: "The gate's code is 4711",
  minPlayers: 8,
  decidesHours: 2.5,
};

const COLUMNS = {
  title: "Indoor futsal",
  description: "Bring shoes",
  sport: "Futsal",
  date: "2026-12-02",
  start_time: "19:00",
  end_time: "20:30",
  venue_id: "venue-1",
  max_players: 10,
  game_format: "5v5",
  is_outdoor: false,
  price_eur: "10.00",
  is_first_session_free: false,
  level: "Relaxed" as const,
  player_notes: "The gate's code is 4711",
  min_players: 8,
  decides_hours: 2.5,
};

test("a plan is stored column by column, its price as a numeric", () => {
  expect(planColumns(PLAN)).toEqual(COLUMNS);
});

test("a stored game is its plan again, its times without seconds", () => {
  const stored = {
    ...COLUMNS,
    decides_hours: "2.50",
    id: "game-1",
    status: "Published" as const,
    revision: 0,
    series_id: null,
    start_time: "19:00:00",
    end_time: "20:30:00",
    starts_at: new Date("2026-12-02T17:00:00Z"),
    ends_at: new Date("2026-12-02T18:30:00Z"),
    created_at: new Date("2026-11-21T10:00:00Z"),
    keeps_result: true,
    version: 1,
    changed_at: new Date("2026-11-21T10:00:00Z"),
  };
  expect(planOf(stored)).toEqual(PLAN);
});

describe("a changed plan", () => {
  test.each([
    ["date", "2026-12-03", true],
    ["startTime", "18:30", true],
    ["endTime", "21:00", true],
    ["venueId", "another", true],
    ["maxPlayers", 8, true],
    ["maxPlayers", 12, false],
    ["isFirstSessionFree", true, true],
    ["title", "Futsal", false],
    ["description", "Shoes", false],
    ["sport", "Football", false],
    ["gameFormat", "6v6", false],
    ["isOutdoor", true, false],
    ["priceCents", 950, false],
    ["level", "Competitive", false],
    ["playerNotes", "", false],
    ["minPlayers", null, false],
    ["decidesHours", 3, false],
  ])("in its %s: %s matters to its players: %s", (field, value, matters) => {
    const [from, to] = [PLAN, { ...PLAN, [field]: value }];
    expect(changedFields(from, to)).toEqual([field]);
    expect(touchesPlayers(from, to)).toBe(matters);
  });

  test.each([
    ["date", "2026-12-03", true],
    ["startTime", "18:30", true],
    ["endTime", "21:00", true],
    ["venueId", "another", true],
    ["maxPlayers", 12, false],
    ["title", "Futsal", false],
  ])("in its %s: %s moves the game: %s", (field, value, moves) => {
    const to = { ...PLAN, [field]: value };
    expect(changesSlot(PLAN, to)).toBe(moves);
    expect(changesSlot(PLAN, { ...to, description: "Shoes" })).toBe(moves);
  });

  test("is empty for the same plan", () => {
    expect(changedFields(PLAN, { ...PLAN })).toEqual([]);
    expect(touchesPlayers(PLAN, { ...PLAN })).toBe(false);
  });

  test("applies to another game of the series, which keeps its own values", () => {
    const own = {
      ...PLAN,
      venueId: "own venue",
      date: "2026-12-09",
      title: "Own title",
      maxPlayers: 8,
    };
    const change = { from: PLAN, to: { ...PLAN, date: "2026-12-03", maxPlayers: 12 } };
    expect(planAlike(own, change)).toEqual({ ...own, date: "2026-12-10", maxPlayers: 12 });
    const shorter = { from: PLAN, to: { ...PLAN, endTime: "19:30" } };
    expect(planAlike({ ...own, endTime: "19:30" }, shorter)).toBeNull();
  });
});
