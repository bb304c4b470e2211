import { expect, test } from "vitest";
import { buttonsOf, headingsOf, renderPage, textOf } from "#test/screen.tsx";
import { NO_FILTER } from "#app/features/games/filters.ts";
import { GamesSkeleton } from "#app/routes/layouts/site-layout.tsx";
import Games from "./list.tsx";

const EMPTY = {
  firstName: "Ada",
  filter: NO_FILTER,
  choices: [],
  rosters: [],
  firstSteps: null,
  strip: [],
  cities: ["Helsinki", "Espoo", "Vantaa"],
  days: [],
};

// spec: 1.17
test("without a first name it greets all the same", () => {
  const nameless = { loaderData: { ...EMPTY, firstName: "" } };
  expect(headingsOf(renderPage(Games, nameless), 1)).toEqual(["Hi there"]);
});

// spec: 2.46, 2.56, 2.57, 9.21
test("the filter drawer asks for the location", () => {
  const html = renderPage(Games, { loaderData: EMPTY });
  expect(buttonsOf(html)).toContain("Filters");
  const [, drawer = ""] = html.split("<dialog");
  expect(headingsOf(drawer, 2)).toEqual(["Location"]);
  const choices = [...drawer.matchAll(/<label[^>]*>(.*?)<\/label>/gs)].map(([, label = ""]) =>
    textOf(label).replaceAll("|", "").trim(),
  );
  expect(choices).toEqual([
    ...["Outdoor", "Indoor", "Select All", "Helsinki", "Espoo", "Vantaa"],
    ...["Morning", "Afternoon", "Evening", "All levels", "Relaxed", "Competitive"],
  ]);
  expect(textOf(drawer)).toMatch(
    /\|Clear Selection\|.*\|City\|.*\|Time of day\|.*\|Level\|.*\|Apply Selection\|/,
  );
});

// spec: 2.55, 9.26
test("six cards stand there while it loads", () => {
  expect(renderPage(GamesSkeleton).match(/<li\b/g)).toHaveLength(6);
});
