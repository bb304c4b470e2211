import type { Page } from "@playwright/test";
import { press, pressInVain, type Screen } from "./screen.ts";
import type { Scenario } from "./world.ts";

const of =
  (id: keyof Scenario, suffix = "") =>
  (scenario: Scenario) =>
    `/admin/games/${scenario[id]}${suffix}`;

/** The games at the organisers' desk. */
export const GAME_DESK_SCREENS: Screen[] = [
  { name: "desk-games", as: "admin", path: "/admin/games" },
  { name: "desk-games-none", as: "admin", path: "/admin/games?when=past&status=Draft" },
  { name: "desk-game-new", as: "admin", path: "/admin/games/new" },
  { name: "desk-game-new-errors", as: "admin", path: "/admin/games/new", act: publishInVain },
  { name: "desk-game", as: "admin", path: of("open") },
  { name: "desk-game-draft", as: "admin", path: of("draft") },
  { name: "desk-game-cancelled", as: "admin", path: of("calledOff") },
  { name: "desk-game-cancel", as: "admin", path: of("open"), act: openCancel, isCropped: true },
  {
    name: "desk-game-not-unpublished",
    as: "admin",
    path: of("open"),
    act: (page) => pressInVain(page, "Unpublish"),
    toast: "Nothing was changed",
  },
  { name: "desk-game-edit", as: "admin", path: of("open", "/edit") },
  { name: "desk-game-edit-asks", as: "admin", path: of("open", "/edit"), act: moveStart },
  { name: "desk-game-edit-conflict", as: "admin", path: of("open", "/edit"), act: saveStale },
  { name: "desk-game-edit-over", as: "admin", path: of("calledOff", "/edit") },
];

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
