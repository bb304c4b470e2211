import type { Page } from "@playwright/test";
import { openUnanswered, press } from "./screen.ts";
import type { Screen } from "./scenario.ts";

/** The generic error screen, what a browser without network shows, and pages that are on their way. */
export const FAILURE_SCREENS: Screen[] = [
  loadingScreen("bookings-loading", "My Games", "Loading My Games"),
  loadingScreen("venues-loading", "Venues", "Loading venues"),
  loadingScreen("profile-loading", "Profile", "Loading profile"),
  { name: "offline", path: "/offline" },
  {
    name: "error",
    as: "player",
    path: "/events",
    act: (page) => followOffline(page, "My Games", "**/bookings.data*"),
    endsOn: "/bookings",
  },
  {
    name: "venues-failed",
    as: "player",
    path: "/bookings",
    act: (page) => followToFailure(page, "Venues", "routes/venues/list"),
    endsOn: "/venues",
  },
  {
    name: "profile-failed",
    as: "player",
    path: "/events",
    act: (page) => followToFailure(page, "Profile", "routes/profile/show"),
    endsOn: "/profile",
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
    name: "error-reference",
    as: "player",
    path: "/events",
    act: followToReference,
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

function loadingScreen(name: string, entry: string, loading: string): Screen {
  const act = (page: Page) => openUnanswered(page, entry, loading);
  return { name, as: "player", path: "/events", act, isCropped: true };
}

async function followOffline(page: Page, link: string, requests: string) {
  await page.route(requests, (route) => route.abort());
  await follow(page, link);
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
}

/** Fails where the server cannot read what the page is about, but everything around it. */
async function followToFailure(page: Page, link: string, routeId: string) {
  await page.route(`**/${link.toLowerCase()}.data*`, async (route) => {
    const response = await route.fetch();
    const body = withFailure(await response.text(), routeId);
    await route.fulfill({ response, status: 500, body });
  });
  await follow(page, link);
  await page.getByRole("link", { name: "Try Again" }).waitFor();
}

/** An error of the server, with the id by which it is found in the log. */
async function followToReference(page: Page) {
  await page.route("**/bookings.data*", async (route) => {
    const response = await route.fetch();
    const body = withFailure(await response.text(), "routes/bookings/list");
    const reference = 'request;desc="9f1c2d345b6a4c7d"';
    const headers = { ...response.headers(), "server-timing": reference };
    await route.fulfill({ response, status: 500, headers, body });
  });
  await follow(page, "My Games");
  await page.getByText("Details").click();
  await page.getByText("Error reference: 9f1c2d345b6a4c7d").waitFor();
}

/** The router's own form: a flat list, in which objects name their keys and values by position. */
function withFailure(data: string, routeId: string): string {
  const parts = JSON.parse(data) as [Record<string, number>, ...unknown[]];
  const result = parts[0][`_${parts.indexOf(routeId)}`]!;
  const end = parts.length;
  parts.push("error", ["SanitizedError", end + 2, end + 3, -7], "Error", "Unexpected Server Error");
  parts[result] = { [`_${end}`]: end + 1 };
  return JSON.stringify(parts) + "\n";
}

async function follow(page: Page, link: string) {
  await page.getByRole("link", { name: link, exact: true }).filter({ visible: true }).click();
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
