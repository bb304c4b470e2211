import { expect, test } from "vitest";
import { countChoices, parseGameFilter } from "./filters.ts";

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
