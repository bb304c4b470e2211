import type { Page } from "@playwright/test";
import type { Screen } from "./screen.ts";

/** What the organiser sees first: the figures, and the numbers of one of them. */
export const OVERVIEW_SCREENS: Screen[] = [
  { name: "overview", as: "admin", path: "/admin", act: seeCharts },
  { name: "overview-numbers", as: "admin", path: "/admin?weeks=4", act: openNumbers },
];

async function seeCharts(page: Page) {
  await page.getByRole("img", { name: "Games and fill rate by week, as bars" }).waitFor();
}

async function openNumbers(page: Page) {
  await seeCharts(page);
  await page.getByText("Numbers by week, Games and fill rate").click();
}
