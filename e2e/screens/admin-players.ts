import type { Page } from "@playwright/test";
import { pressInVain } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";

const PLAYERS = "/admin/players";
const PACKS = "/admin/packs";
const player = ({ otherId }: Scenario) => `${PLAYERS}/${otherId}`;
const retired = ({ retiredPack }: Scenario) => `${PACKS}/${retiredPack}`;

/** Players and packs, as the organisers see them. */
export const ADMIN_PLAYER_SCREENS: Screen[] = [
  { name: "players", as: "admin", path: PLAYERS },
  { name: "players-found", as: "admin", path: `${PLAYERS}?q=aino` },
  { name: "players-nobody", as: "admin", path: `${PLAYERS}?q=zz` },
  { name: "players-suspended", as: "admin", path: `${PLAYERS}?show=suspended` },
  { name: "players-no-shows", as: "admin", path: `${PLAYERS}?show=no-shows` },
  { name: "player", as: "admin", path: player },
  {
    name: "player-messages",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.message}`,
    act: openWriter,
    endsOn: ({ writer }) => `${PLAYERS}/${writer}`,
  },
  { name: "player-earlier-no-shows", as: "admin", path: player, act: unfoldNoShows },
  { name: "player-correction-asks", as: "admin", path: player, act: giveMuch },
  { name: "player-excuse-errors", as: "admin", path: player, act: excuseInVain },
  {
    name: "player-correction-errors",
    as: "admin",
    path: player,
    act: async (page) => {
      await pressInVain(page, "Correct the balance");
    },
  },
  {
    name: "player-suspension-errors",
    as: "admin",
    path: player,
    act: async (page) => {
      await unfold(page, "Suspend");
      await pressInVain(page, "Suspend");
    },
  },
  { name: "player-suspended", as: "admin", path: ({ suspended }) => `${PLAYERS}/${suspended}` },
  { name: "player-not-found", as: "admin", path: `${PLAYERS}/nobody` },
  { name: "packs", as: "admin", path: PACKS },
  { name: "pack", as: "admin", path: ({ pack }) => `${PACKS}/${pack}`, act: openCheck },
  { name: "pack-retired", as: "admin", path: retired, act: openCheck },
  { name: "pack-without-link", as: "admin", path: ({ waitingPack }) => `${PACKS}/${waitingPack}` },
  { name: "pack-asks", as: "admin", path: retired, act: raisePrice },
  { name: "pack-new", as: "admin", path: `${PACKS}/new` },
  {
    name: "pack-errors",
    as: "admin",
    path: `${PACKS}/new`,
    act: (page) => pressInVain(page, "Create pack"),
  },
];

const unfold = (page: Page, form: string) =>
  page.locator("summary").filter({ hasText: form }).first().click();

async function giveMuch(page: Page) {
  await page.getByLabel("Credits *").fill("250");
  await page.getByLabel("Reason *").first().fill("Prize of the autumn cup");
  await pressInVain(page, "Correct the balance");
}

async function excuseInVain(page: Page) {
  await unfold(page, "Excuse");
  await pressInVain(page, "Excuse this no-show");
}

async function openCheck(page: Page) {
  await page.getByText("Check link").click();
  // Where the click has scrolled to, a link may lie half under the header.
  await page.evaluate(() => scrollTo(0, 0));
}

async function raisePrice(page: Page) {
  await page.getByLabel("Price in euros *").fill("130");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Nothing is saved yet").waitFor();
}

async function openWriter(page: Page) {
  await page.getByRole("article").getByRole("link").first().click();
  const messages = page.getByRole("heading", { name: "Messages" });
  await messages.evaluate((heading) => heading.scrollIntoView({ block: "center" }));
}

async function unfoldNoShows(page: Page) {
  const earlier = page.locator("summary").filter({ hasText: /^\d+ earlier$/ });
  await earlier.click();
  await earlier.scrollIntoViewIfNeeded();
}
