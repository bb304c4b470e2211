import { expect, test } from "vitest";
import { cityPath, noVenuesText, parseCities } from "./rules.ts";

// spec: 2.98
test.each([
  [[], "No venues found."],
  [["Turku"], "No venues found in Turku."],
  [["Espoo", "Vantaa"], "No venues found in Espoo and Vantaa."],
  [["Helsinki", "Espoo", "Vantaa"], "No venues found in Helsinki, Espoo and Vantaa."],
])("%j: %s", (cities, text) => {
  expect(noVenuesText(cities)).toBe(text);
});

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
  [`city=%20${"ä".repeat(60)}`, ["ä".repeat(60)]],
  [`city=${"ä".repeat(59)}%20x`, ["ä".repeat(59)]],
  ["city=a,b,c,d,e,f,g,h,i,j,k,l", ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]],
])("?%s", (query, cities) => {
  expect(parseCities(new URLSearchParams(query))).toEqual(cities);
});

test.each([
  [[], "/venues"],
  [["Espoo"], "/venues?city=Espoo"],
  [["Espoo", "Jyväskylä, Kuokkala"], "/venues?city=Espoo,Jyv%C3%A4skyl%C3%A4%2C%20Kuokkala"],
])("venues in %j are at %s", (cities, path) => {
  expect(cityPath(cities)).toBe(path);
});
