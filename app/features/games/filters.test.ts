import { describe, expect, test } from "vitest";
import { listChoices, parseAdminGameFilter, parseGameFilter } from "./filters.ts";

const parse = (query: string) => parseGameFilter(new URLSearchParams(query));
const ALL = ["Helsinki", "Espoo", "Vantaa"];

const nothing = { outdoor: false, indoor: false, cities: [], times: [], levels: [] };

// spec: 3.29, 9.21
test.each([
  ["", {}],
  ["outdoor=1", { outdoor: true }],
  ["indoor", { indoor: true }],
  ["outdoor=&indoor=no", { outdoor: true, indoor: true }],
  ["city=Espoo", { cities: ["Espoo"] }],
  ["city=Vantaa&city=Helsinki", { cities: ["Helsinki", "Vantaa"] }],
  ["city=Vantaa,Helsinki", { cities: ["Helsinki", "Vantaa"] }],
  ["city=Espoo&city=Espoo", { cities: ["Espoo"] }],
  ["city=all", { cities: ALL }],
  ["city=all&city=Espoo&indoor=1", { indoor: true, cities: ALL }],
  ["time=Evening&time=Morning", { times: ["Morning", "Evening"] }],
  ["time=Night&time=evening", {}],
  ["level=Relaxed&level=All+levels", { levels: ["All levels", "Relaxed"] }],
  ["level=Hard&level=", {}],
  ["page=2&order=price&Indoor=1", {}],
])("?%s", (query, chosen) => {
  expect(parse(query)).toEqual({ ...nothing, ...chosen });
});

test.each([
  ["", []],
  ["outdoor=1", [["Outdoor", "/events"]]],
  [
    "city=Espoo&time=Evening",
    [
      ["Espoo", "/events?time=Evening"],
      ["Evening", "/events?city=Espoo"],
    ],
  ],
  [
    "level=All+levels&city=Vantaa,Espoo&indoor=1",
    [
      ["Indoor", "/events?city=Espoo&city=Vantaa&level=All+levels"],
      ["Espoo", "/events?indoor=1&city=Vantaa&level=All+levels"],
      ["Vantaa", "/events?indoor=1&city=Espoo&level=All+levels"],
      ["All levels", "/events?indoor=1&city=Espoo&city=Vantaa"],
    ],
  ],
])("what is chosen by ?%s has a name, and an address without it", (query, choices) => {
  const listed = listChoices(parse(query));
  expect(listed.map(({ name, without }) => [name, without])).toEqual(choices);
});

const VENUE = "0b9d3c1e-8b7a-4c55-9f10-7a0c5e1d2f34";

const NO_MORE = { words: null, lacks: null };
describe("the filter of all games", () => {
  const everything = {
    ...{ when: "to-come", status: null, venueId: null, city: null, pays: null },
    ...NO_MORE,
  };
  test.each([
    ["", {}],
    ["when=past", { when: "past" }],
    ["pays=unpaid", { pays: "unpaid" }],
    ["pays=cash-back", { pays: "cash-back" }],
    ["pays=paid", {}],
    ["when=all", { when: "all" }],
    ["when=soon", {}],
    ["status=Draft", { status: "Draft" }],
    ["status=Published", { status: "Published" }],
    ["status=Cancelled", { status: "Cancelled" }],
    ["status=Completed", {}],
    [`venue=${VENUE}`, { venueId: VENUE }],
    ["venue=x", {}],
    ["q=+five%00s+", { words: "fives" }],
    [`q=${"x".repeat(101)}`, { words: "x".repeat(100) }],
    ["lacks=attendance", { lacks: "attendance" }],
    ["lacks=result", { lacks: "result" }],
    ["lacks=shoes", {}],
    ["city=Es%00poo", { city: "Espoo" }],
    [`city=${"x".repeat(61)}`, { city: "x".repeat(60) }],
  ])("%.20s", (query, expected) => {
    expect(parseAdminGameFilter(new URLSearchParams(query))).toEqual({
      ...everything,
      ...expected,
    });
  });
});
