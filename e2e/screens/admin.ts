import type { Page } from "@playwright/test";
import { press, pressInVain, type Screen } from "./screen.ts";

const PAYMENTS = "/admin/payments";

/** Admin's overview and payments, and what others see of them. */
export const ADMIN_SCREENS: Screen[] = [
  { name: "payments", as: "admin", path: PAYMENTS },
  { name: "payments-errors", as: "admin", path: PAYMENTS, act: assignToNobody },
  {
    name: "payments-unmatched",
    as: "admin",
    path: PAYMENTS,
    act: retry,
  },
  { name: "payments-set-aside", as: "admin", path: PAYMENTS, act: openSetAside, isCropped: true },
  { name: "admin-not-found", as: "admin", path: "/admin/nowhere" },
  { name: "access-denied", as: "player", path: PAYMENTS },
];

async function assignToNobody(page: Page) {
  await page.getByLabel("Player's email").first().fill("nobody@uni.example");
  await pressInVain(page, /^(Give the credits|It belongs to this player)$/);
}

async function retry(page: Page) {
  await pressInVain(page, "Try again");
}

async function openSetAside(page: Page) {
  await press(page, "Set aside");
  await page.getByRole("dialog").waitFor();
}

export const OVERVIEW_SCREENS: Screen[] = [
  { name: "overview", as: "admin", path: "/admin", act: seeCharts },
  { name: "overview-shortcuts", as: "admin", path: "/admin", act: seeShortcuts },
  { name: "overview-numbers", as: "admin", path: "/admin?weeks=4", act: openNumbers },
];

async function seeCharts(page: Page) {
  await page.getByRole("img", { name: "Games and fill rate by week, as bars" }).waitFor();
}

async function seeShortcuts(page: Page) {
  const shortcuts = page.getByRole("heading", { name: "New game" });
  await shortcuts.evaluate((heading) => heading.scrollIntoView({ block: "center" }));
}

async function openNumbers(page: Page) {
  await seeCharts(page);
  await page.getByText("Numbers by week, Games and fill rate").click();
}
