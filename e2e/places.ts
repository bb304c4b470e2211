import type { Page } from "@playwright/test";
import type { GameIds } from "./games.ts";
import { stripes } from "#test/pictures.ts";

/** A page and what is opened on it, where layout and targets are measured. */
export interface Place {
  path: string | ((games: GameIds) => string);
  act?: (page: Page) => Promise<void>;
}

const VISITOR: Place[] = [
  { path: "/" },
  { path: "/auth" },
  { path: "/auth", act: (page) => press(page, "Sign In") },
  { path: "/auth?tab=sign-up" },
  { path: "/auth?tab=sign-up", act: (page) => press(page, "Sign up") },
  { path: "/auth/forgot" },
  { path: "/auth/reset?token=stale" },
  { path: "/auth/confirm?token=stale" },
  { path: ({ open }) => `/events/${open}` },
  { path: ({ free }) => `/events/${free}` },
  { path: "/events/none" },
  { path: "/venues" },
  { path: "/venues", act: openCities },
  { path: "/venues?city=Turku,Oulu" },
  { path: "/venues", act: openVenue },
  { path: "/venues", act: openPhotos },
  { path: "/venues/none" },
  { path: "/bookings" },
  { path: "/card/none" },
  { path: "/terms" },
  { path: "/privacy" },
  { path: "/accessibility" },
  { path: "/demo/outbox" },
  { path: "/demo/checkout/pay_per_game" },
  { path: "/nowhere" },
];

const PLAYER: Place[] = [
  { path: "/events" },
  { path: "/events?outdoor=1&city=Espoo" },
  { path: "/events", act: openFilters },
  { path: ({ open }) => `/events/${open}` },
  { path: ({ full }) => `/events/${full}` },
  { path: ({ joined }) => `/events/${joined}` },
  { path: ({ empty }) => `/events/${empty}` },
  { path: ({ joined }) => `/events/${joined}`, act: openAnotherProfile },
  { path: "/venues?city=Espoo" },
  { path: "/bookings" },
  { path: "/bookings", act: openCancel },
  { path: "/wallet" },
  { path: "/wallet", act: openPlans },
  { path: "/wallet/paid?session_id=cs_test_unknown" },
  { path: "/profile" },
  { path: "/profile", act: refuseProfile },
  { path: "/profile", act: placePicture },
  { path: "/profile/none" },
  { path: "/profile/player-card" },
  ...["", "/contact-support", "/onboarding", "/withdraw", "/delete-account"].map((below) => ({
    path: `/settings${below}`,
  })),
  { path: "/settings/leave-review", act: (page) => press(page, "Submit review") },
  { path: "/settings/change-password", act: (page) => press(page, "Update password") },
  { path: "/demo/checkout/monthly_8" },
  { path: "/demo/checkout/portal" },
  { path: "/admin" },
];

const TABS = [
  "partners",
  "games",
  "legal",
  "venues",
  "players",
  "packs",
  "payments",
  "inbox",
  "log",
];
const ADMIN: Place[] = [
  ...["/events", "/profile", "/admin", ...TABS.map((tab) => `/admin/${tab}`)].map((path) => ({
    path,
  })),
];

/** Every page that somebody sees, with its dialogs open; by the demo account that looks. */
export const PLACES = { visitor: VISITOR, player: PLAYER, admin: ADMIN };

export async function openPlace(page: Page, { path, act }: Place, games: GameIds) {
  const address = typeof path === "string" ? path : path(games);
  await page.goto(address);
  await act?.(page);
  return act ? `${address} after ${act.name || "pressing"}` : address;
}

async function press(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("main").getByRole("alert").waitFor();
}

async function openCities(page: Page) {
  await page.getByRole("combobox", { name: "City" }).click();
  await page.getByRole("option", { name: "Espoo" }).click();
  await page.waitForURL(/Espoo/);
}

async function openVenue(page: Page) {
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("region", { name: "Upcoming games" }).waitFor();
}

async function openPhotos(page: Page) {
  await openVenue(page);
  await page
    .getByRole("link", { name: /^View photo/ })
    .first()
    .click();
  await page.getByRole("dialog", { name: "Photos" }).getByRole("img").first().waitFor();
}

async function openFilters(page: Page) {
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: "Apply Selection" }).waitFor();
}

async function openCancel(page: Page) {
  await page
    .getByRole("button", { name: /^Cancel/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Keep my spot" }).waitFor();
}

async function openPlans(page: Page) {
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function openProfile(page: Page) {
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.getByPlaceholder("Search countries").waitFor();
}

async function refuseProfile(page: Page) {
  await openProfile(page);
  await page.getByLabel("First Name *").fill("R2D2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

async function choosePicture(page: Page) {
  const buffer = await stripes(600, 300).jpeg().toBuffer();
  const file = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel("Choose a picture").setInputFiles(file);
  await page.getByRole("slider", { name: "Zoom" }).waitFor();
}

async function placePicture(page: Page) {
  await page.getByRole("button", { name: "Change picture" }).click();
  await choosePicture(page);
}

async function openAnotherProfile(page: Page) {
  await page
    .getByRole("main")
    .locator('a[href^="/profile/"]')
    .filter({ hasNotText: "Eero" })
    .first()
    .click();
  await page.getByText("Events joined").waitFor();
}
