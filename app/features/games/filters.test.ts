import { describe, expect, test } from "vitest";
import { countChoices, parseAdminGameFilter, parseGameFilter } from "./filters.ts";

const parse = (query: string) => parseGameFilter(new URLSearchParams(query));
const ALL = ["Helsinki", "Espoo", "Vantaa"];

// spec: 3.29, 9.21
test.each([
  ["", false, false, [], 0],
  ["outdoor=1", true, false, [], 1],
  ["indoor", false, true, [], 1],
  ["outdoor=&indoor=no", true, true, [], 2],
  ["city=Espoo", false, false, ["Espoo"], 1],
  ["city=Vantaa&city=Helsinki", false, false, ["Helsinki", "Vantaa"], 2],
  ["city=Vantaa,Helsinki", false, false, ["Helsinki", "Vantaa"], 2],
  ["city=Espoo&city=Espoo", false, false, ["Espoo"], 1],
  ["city=all", false, false, ALL, 3],
  ["city=all&city=Espoo&indoor=1", false, true, ALL, 4],
  ["page=2&order=price&Indoor=1", false, false, [], 0],
])("?%s", (query, outdoor, indoor, cities, choices) => {
  const filter = parse(query);
  expect(filter).toEqual({ outdoor, indoor, cities });
  expect(countChoices(filter)).toBe(choices);
});

const VENUE = "0b9d3c1e-8b7a-4c55-9f10-7a0c5e1d2f34";

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
