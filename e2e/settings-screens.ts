import type { Page } from "@playwright/test";
import { BUYER } from "./staged-payments.ts";

interface SettingsScreen {
  name: string;
  as?: string;
  path: string;
  act?: (page: Page) => Promise<void>;
}

/** The legal pages and the settings, as `screens.ts` draws them. */
export const SETTINGS_SCREENS: SettingsScreen[] = [
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "accessibility", path: "/accessibility" },
  { name: "settings", as: "player", path: "/settings" },
  { name: "settings-logout-failed", as: "player", path: "/settings", act: logoutOffline },
  { name: "change-password", as: "player", path: "/settings/change-password" },
  {
    name: "change-password-errors",
    as: "player",
    path: "/settings/change-password",
    act: (page) => press(page, "Update password"),
  },
  { name: "contact-support", as: "player", path: "/settings/contact-support" },
  { name: "contact-support-sent", as: "player", path: "/settings/contact-support?sent" },
  { name: "leave-review", as: "player", path: "/settings/leave-review", act: rate },
  {
    name: "leave-review-errors",
    as: "player",
    path: "/settings/leave-review",
    act: (page) => press(page, "Submit review"),
  },
  { name: "onboarding", as: "player", path: "/settings/onboarding" },
  { name: "withdraw", as: BUYER, path: "/settings/withdraw" },
  { name: "withdraw-confirm", as: BUYER, path: "/settings/withdraw", act: stateWithdrawal },
  { name: "withdraw-empty", as: "broke", path: "/settings/withdraw" },
  { name: "delete-account", as: "player", path: "/settings/delete-account" },
  { name: "delete-account-blocked", as: BUYER, path: "/settings/delete-account" },
];

async function press(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("alert").waitFor();
}

async function logoutOffline(page: Page) {
  await page.waitForLoadState("networkidle");
  await page.route("**/sign-out.data*", (route) => route.abort());
  await press(page, "Logout");
}

async function rate(page: Page) {
  await page.getByRole("radio", { name: /Great/ }).check();
}

async function stateWithdrawal(page: Page) {
  await page.getByRole("button", { name: "Withdraw from this purchase" }).click();
  await page.getByRole("button", { name: "Confirm withdrawal" }).waitFor();
}
