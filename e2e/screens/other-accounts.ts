import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { press } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";

const spare = ({ spare: id }: Scenario) => `/events/${id}`;

/** Somebody else has signed in in another tab since the page was opened. */
export const OTHER_ACCOUNT_SCREENS: Screen[] = [
  { name: "other-account-rejected", as: "newcomer", path: spare, act: joinFromOthersPage },
  { name: "other-account-reopened", as: "newcomer", path: "/profile", act: comeBackToTab },
];

async function joinFromOthersPage(page: Page) {
  for (const account of await page.locator("input[name=account]").all()) {
    await account.evaluate((field: HTMLInputElement, id) => (field.value = id), randomUUID());
  }
  await press(page, "Join game");
  await page.getByText("This page was opened for another account.").waitFor();
}

async function comeBackToTab(page: Page) {
  await page.evaluate((id) => localStorage.setItem("account", id), randomUUID());
  await page.evaluate(() => dispatchEvent(new Event("pageshow")));
  await page.getByText("You are signed in as Tove now.").waitFor();
}
