import { expect, test } from "vitest";
import { bibName, BIBS } from "./bibs.ts";

test("teams begin with yellow, blue, orange and green; no bibs is a choice too", () => {
  expect(BIBS.map(bibName)).toEqual([
    ...["Yellow", "Blue", "Orange", "Green"],
    ...["Red", "White", "Black", "No bibs"],
  ]);
});
