import { expect, test } from "@playwright/test";
import { SCREENS } from "./screens/all.ts";
import { endOf } from "./screens/screen.ts";
import { listPages, placeOf } from "./screens/places.ts";
import type { Scenario } from "./screens/world.ts";

const ID = "00000000-0000-4000-8000-000000000000";
const scenario = new Proxy({} as Scenario, { get: () => ID });

test("every page of app/routes.ts has a screen", () => {
  const shown = new Set(SCREENS.map((screen) => placeOf(endOf(screen, scenario)).at(-1)));
  const pages = listPages();
  expect(pages.length).toBeGreaterThan(25);
  // Opening it leads away; what it draws follows a failed form that only it shows.
  expect(pages.filter((file) => !shown.has(file))).toEqual(["routes/auth/sign-out.tsx"]);
});

test("a screen's name is its own", () => {
  const names = SCREENS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
