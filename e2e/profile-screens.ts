import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { projectRoot } from "../app/platform/root.server.ts";
import type { Screen } from "./screens.ts";

const own = { as: "player", path: "/profile" } as const;
const dialog = { ...own, isCropped: true };

export const PROFILE_SCREENS: Screen[] = [
  { name: "profile-earned", ...own },
  { name: "profile-admin", as: "admin", path: "/profile" },
  { name: "profile-edit", ...dialog, act: openProfileDialog },
  { name: "profile-search", ...dialog, act: searchNationality },
  { name: "profile-errors", ...dialog, act: refuseProfile },
  { name: "profile-picture", ...dialog, act: placePicture },
  {
    name: "profile-other",
    as: "broke",
    path: ({ joined }) => `/events/${joined}`,
    act: openAnotherProfile,
  },
  { name: "profile-not-found", as: "player", path: "/profile/none" },
];

export async function openProfileDialog(page: Page) {
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.getByPlaceholder("Search countries").waitFor();
}

export async function searchNationality(page: Page) {
  await openProfileDialog(page);
  await page.getByPlaceholder("Search countries").fill("swe");
  await page.getByRole("option", { name: "Sweden" }).waitFor();
}

export async function refuseProfile(page: Page) {
  await openProfileDialog(page);
  await page.getByLabel("First Name *").fill("R2D2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

export async function placePicture(page: Page) {
  await page.getByRole("button", { name: "Change picture" }).click();
  const photo = path.join(projectRoot, "public", "photos", "otaniemi-hall-1-1280.webp");
  const buffer = await sharp(readFileSync(photo)).jpeg().toBuffer();
  const file = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel("Choose a picture").setInputFiles(file);
  await page.getByRole("slider", { name: "Zoom" }).fill("2");
}

export async function openAnotherProfile(page: Page) {
  await page.getByRole("link", { name: "Eero Mäkelä" }).click();
  await page.getByText("Events joined").waitFor();
}
