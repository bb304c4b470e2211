import type { Page } from "@playwright/test";
import { press, type Screen } from "./screen.ts";

/** The generic error screen, and what a browser without network shows. */
export const FAILURE_SCREENS: Screen[] = [
  { name: "offline", path: "/offline" },
  {
    name: "error",
    as: "player",
    path: "/events",
    act: (page) => followOffline(page, "My Games", "**/bookings.data*"),
    endsOn: "/bookings",
  },
  {
    name: "error-details",
    as: "player",
    path: "/events",
    act: async (page) => {
      await followOffline(page, "My Games", "**/bookings.data*");
      await page.getByText("Details").click();
    },
    endsOn: "/bookings",
  },
  {
    name: "error-outside",
    path: "/venues",
    act: async (page) => {
      await page.route("**/auth.data*", (route) => route.abort());
      await page.getByRole("link", { name: "Sign In" }).first().click();
      await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
    },
    endsOn: "/auth",
  },
  {
    name: "connection-failed",
    as: "player",
    path: "/settings/contact-support",
    act: sendUnheard,
    toast: "The connection failed.",
  },
  {
    name: "connection-gone",
    as: "player",
    path: "/events",
    act: goOffline,
    toast: "You are offline.",
  },
];

async function followOffline(page: Page, link: string, requests: string) {
  await page.route(requests, (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: link }).first().click();
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
}

async function sendUnheard(page: Page) {
  await page.route("**/contact-support.data*", (route) => route.abort());
  await page.getByLabel("Subject *").fill("Lost shoes");
  await page.getByLabel("Message *").fill("Blue ones, after the game on Monday.");
  await press(page, "Send message");
}

async function goOffline(page: Page) {
  await page.context().setOffline(true);
  await page.getByRole("navigation").getByRole("link", { name: "My Games" }).first().click();
}
