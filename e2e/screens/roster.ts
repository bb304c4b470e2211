import type { Page } from "@playwright/test";
import { press, pressInVain, type Screen } from "./screen.ts";
import type { Scenario } from "./world.ts";

const of = (game: "past" | "open" | "empty") => (scenario: Scenario) =>
  `/admin/games/${scenario[game]}`;

/** A game's players at the pitch and after the game. */
export const ROSTER_SCREENS: Screen[] = [
  { name: "roster", as: "admin", path: of("past") },
  { name: "roster-before", as: "admin", path: of("open") },
  { name: "roster-empty", as: "admin", path: of("empty") },
  { name: "roster-choices", as: "admin", path: of("open"), act: addByName },
  { name: "roster-result-errors", as: "admin", path: of("past"), act: saveTooManyGoals },
  { name: "roster-message", as: "admin", path: of("open"), act: openMessage, isCropped: true },
  { name: "roster-remove", as: "admin", path: of("open"), act: openRemoval, isCropped: true },
  {
    name: "roster-print",
    as: "admin",
    path: (scenario) => `/admin/games/${scenario.past}/print`,
  },
];

async function addByName(page: Page) {
  await page.getByLabel("Email or name").fill("a");
  await press(page, "Add player");
  await page.getByRole("heading", { name: "Who is it?" }).waitFor();
}

async function saveTooManyGoals(page: Page) {
  await page.getByLabel("Team A").fill("0");
  await page.getByLabel("Team B").fill("1");
  await page
    .getByLabel(/^Goals of/)
    .first()
    .fill("9");
  await pressInVain(page, "Save result");
}

async function openMessage(page: Page) {
  await press(page, "Message all");
  await page.getByRole("dialog").waitFor();
}

async function openRemoval(page: Page) {
  await press(page, /^Remove /);
  await page.getByRole("dialog").waitFor();
}
