import type { Page } from "@playwright/test";
import { press, pressInVain } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";

const of =
  (id: keyof Scenario, suffix = "") =>
  (scenario: Scenario) =>
    `/admin/games/${scenario[id]}${suffix}`;

/** The games as admins see them. */
export const ADMIN_GAME_SCREENS: Screen[] = [
  { name: "admin-games", as: "admin", path: "/admin/games" },
  { name: "admin-games-filters", as: "admin", path: "/admin/games?when=all&city=Espoo" },
  { name: "admin-games-none", as: "admin", path: "/admin/games?when=past&status=Draft" },
  { name: "admin-games-unpaid", as: "admin", path: "/admin/games?when=all&pays=unpaid" },
  { name: "admin-games-past", as: "admin", path: "/admin/games?when=past" },
  { name: "admin-games-lacking", as: "admin", path: "/admin/games?when=past&lacks=result" },
  { name: "admin-game-new", as: "admin", path: "/admin/games/new" },
  { name: "admin-game-new-errors", as: "admin", path: "/admin/games/new", act: publishInVain },
  { name: "admin-game", as: "admin", path: of("open") },
  { name: "admin-game-draft", as: "admin", path: of("draft") },
  { name: "admin-game-cancelled", as: "admin", path: of("calledOff") },
  { name: "admin-game-cancel", as: "admin", path: of("open"), act: openCancel, isCropped: true },
  {
    name: "admin-game-menu",
    as: "admin",
    path: of("draft"),
    act: (page) => page.getByLabel("More", { exact: true }).click(),
  },
  { name: "admin-game-edit", as: "admin", path: of("open", "/edit") },
  { name: "admin-game-edit-asks", as: "admin", path: of("open", "/edit"), act: moveStart },
  { name: "admin-game-edit-conflict", as: "admin", path: of("open", "/edit"), act: saveStale },
  { name: "admin-game-messages", as: "admin", path: of("soon"), act: unfoldMessage },
  { name: "admin-game-edit-over", as: "admin", path: of("calledOff", "/edit") },
];

async function unfoldMessage(page: Page) {
  await page.getByText("White shirts").click();
}

async function publishInVain(page: Page) {
  await page.getByLabel("Title").fill("");
  await page.getByLabel("Start", { exact: true }).fill("");
  await pressInVain(page, "Publish");
}

async function openCancel(page: Page) {
  await press(page, "Cancel game");
  await page.getByRole("dialog").waitFor();
}

async function moveStart(page: Page) {
  await page.getByLabel("Start", { exact: true }).fill("06:15");
  await pressInVain(page, "Save changes");
}

/** Saves as if the game had been changed since the form was filled. */
async function saveStale(page: Page) {
  await page.getByLabel("Title").fill("Futsal for everybody");
  await page.locator("input[name=version]").evaluate((input) => input.setAttribute("value", "0"));
  await press(page, "Save changes");
  await page.getByText("Somebody else changed this").waitFor();
}

const rosterOf = (game: "past" | "open" | "empty") => (scenario: Scenario) =>
  `/admin/games/${scenario[game]}`;

/** A game's players at the pitch and after the game. */
export const ROSTER_SCREENS: Screen[] = [
  { name: "roster", as: "admin", path: rosterOf("past") },
  { name: "roster-before", as: "admin", path: rosterOf("open") },
  { name: "roster-empty", as: "admin", path: rosterOf("empty") },
  { name: "roster-choices", as: "admin", path: rosterOf("open"), act: addByName },
  { name: "roster-result-errors", as: "admin", path: rosterOf("past"), act: saveTooManyGoals },
  {
    name: "roster-message",
    as: "admin",
    path: rosterOf("open"),
    act: openMessage,
    isCropped: true,
  },
  { name: "roster-remove", as: "admin", path: rosterOf("open"), act: openRemoval, isCropped: true },
  {
    name: "roster-print",
    as: "admin",
    path: (scenario) => `/admin/games/${scenario.past}/print`,
  },
];

async function addByName(page: Page) {
  await page.getByLabel("Email or name").fill("a");
  await press(page, "Add unpaid");
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
  await page.getByRole("listitem").locator("summary").first().click();
  await press(page, /^Remove /);
  await page.getByRole("dialog").waitFor();
}
