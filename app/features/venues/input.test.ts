import { expect, test } from "vitest";
import { parseCities } from "./input.ts";

test.each([
  ["", []],
  ["city=", []],
  ["city=,%20,", []],
  ["city=Espoo", ["Espoo"]],
  ["city=Vantaa,Espoo", ["Vantaa", "Espoo"]],
  ["city=Vantaa%2C%20Espoo", ["Vantaa", "Espoo"]],
  ["city=Espoo&city=Vantaa,Espoo", ["Espoo", "Vantaa"]],
  ["city=Turku", ["Turku"]],
  ["city=%00Tur%00ku", ["Turku"]],
  ["City=Espoo&venue=1", []],
  [`city=${"ä".repeat(80)}`, ["ä".repeat(60)]],
  ["city=a,b,c,d,e,f,g,h,i,j,k,l", ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]],
])("?%s", (query, cities) => {
  expect(parseCities(new URLSearchParams(query))).toEqual(cities);
});
