import type { Page } from "@playwright/test";
import { press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";

const LIST = "/admin/venues";

/** Venues and their photos in admin. */
export const ADMIN_VENUE_SCREENS: Screen[] = [
  { name: "admin-venues", as: "admin", path: LIST },
  { name: "admin-venues-empty", as: "admin", path: `${LIST}?q=Turku` },
  { name: "admin-venue-new", as: "admin", path: `${LIST}/new`, act: addNothing },
  { name: "admin-venue", as: "admin", path: ({ venue }) => `${LIST}/${venue}` },
  {
    name: "admin-venue-changed",
    as: "admin",
    path: ({ venue }) => `${LIST}/${venue}`,
    act: saveLate,
  },
  { name: "admin-venue-not-found", as: "admin", path: `${LIST}/none` },
  { name: "admin-photos", as: "admin", path: ({ venue }) => `${LIST}/${venue}/photos` },
  {
    name: "admin-photos-failed",
    as: "admin",
    path: ({ venue }) => `${LIST}/${venue}/photos`,
    act: addTextFile,
  },
  {
    name: "admin-photos-remove",
    as: "admin",
    path: ({ venue }) => `${LIST}/${venue}/photos`,
    act: openRemove,
    isCropped: true,
  },
];

async function addNothing(page: Page) {
  await pressInVain(page, "Add venue");
}

/** Saves it elsewhere meanwhile. */
async function saveLate(page: Page) {
  await page.locator("input[name=version]").evaluate((field: HTMLInputElement) => {
    field.value = "0";
  });
  await page.getByLabel("Address").fill("Otakaari 99");
  await press(page, "Save venue");
  await page.getByText("Somebody else changed this").waitFor();
}

async function addTextFile(page: Page) {
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") };
  await page.getByLabel("Choose photos").setInputFiles(file);
  await pressInVain(page, "Add photos");
}

async function openRemove(page: Page) {
  await press(page, "Remove photo 2");
  await page.getByRole("dialog").waitFor();
}
