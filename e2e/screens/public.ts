import { CARD_PATH, type Screen } from "./scenario.ts";
import type { Page } from "@playwright/test";

/** Public pages. */
export const PUBLIC_SCREENS: Screen[] = [
  { name: "landing", path: "/" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "accessibility", path: "/accessibility" },
  { name: "card-visitor", path: CARD_PATH },
  { name: "card-gone", path: "/card/nobody-shares-this-one" },
  { name: "unsubscribe", path: ({ unsubscribe }) => `/unsubscribe/${unsubscribe}` },
  { name: "unsubscribed", path: ({ unsubscribed }) => `/unsubscribe/${unsubscribed}` },
  { name: "outbox", path: "/demo/outbox" },
  { name: "not-found", path: "/nowhere" },
];

/** The places to play. */
export const VENUE_SCREENS: Screen[] = [
  { name: "venues", path: "/venues" },
  { name: "venues-player", as: "player", path: "/venues?city=Espoo" },
  { name: "venues-cities", path: "/venues", act: openCities, isCropped: true },
  { name: "venues-no-option", path: "/venues", act: searchInVain, isCropped: true },
  { name: "venues-empty", path: "/venues?city=Turku,Oulu" },
  { name: "venue", path: ({ venue }) => `/venues/${venue}` },
  {
    name: "venue-photos",
    path: ({ venue }) => `/venues/${venue}`,
    act: openPhotos,
    isCropped: true,
  },
  { name: "venue-not-found", path: "/venues/none" },
];

async function openCities(page: Page) {
  await page.getByRole("combobox", { name: "City" }).click();
  await page.getByRole("option", { name: "Espoo" }).click();
  await page.waitForURL(/Espoo/);
}

async function searchInVain(page: Page) {
  await page.getByRole("combobox", { name: "City" }).fill("Turku");
  await page.getByText("No options found").waitFor();
}

async function openPhotos(page: Page) {
  await page
    .getByRole("link", { name: /^View photo/ })
    .first()
    .click();
  await page.getByRole("dialog", { name: "Photos" }).getByRole("img").first().waitFor();
}
