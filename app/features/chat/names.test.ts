import { expect, test } from "vitest";
import { longNames } from "./names.ts";

const named = (names: string[]) => {
  const people = names.map((name, n) => {
    const [firstName = "", lastName = ""] = name.split(" ");
    return { userId: `${n}`, firstName, lastName };
  });
  return longNames(people);
};

test.each<[string, string[], Record<string, string>]>([
  ["different first names need nothing", ["Aino Virtanen", "Bo Berg"], {}],
  [
    "the same first name",
    ["Aino Virtanen", "Bo Berg", "Aino Korhonen"],
    { 0: "Aino V.", 2: "Aino K." },
  ],
  [
    "the same initial too",
    ["Aino Virtanen", "Aino Vainio", "Aino Korhonen"],
    { 0: "Aino Virtanen", 1: "Aino Vainio", 2: "Aino K." },
  ],
  [
    "capitals do not tell people apart",
    ["aino Virtanen", "Aino korhonen"],
    { 0: "aino V.", 1: "Aino k." },
  ],
  ["no last name", ["Aino", "Aino Virtanen"], { 0: "Aino", 1: "Aino V." }],
  ["a letter beyond the first plane", ["Bo 𐐷x", "Bo Berg"], { 0: "Bo 𐐷.", 1: "Bo B." }],
])("%s", (_, names, expected) => {
  expect(named(names)).toEqual(expected);
});
