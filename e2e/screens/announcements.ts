import type { Page } from "@playwright/test";
import { press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";
import { STOPPED } from "./stage-announcements.ts";

const PATH = "/admin/players/announcements";

/** What organisers tell everybody. */
export const ANNOUNCEMENT_SCREENS: Screen[] = [
  { name: "announcements", as: "admin", path: PATH },
  { name: "announcement-new", as: "admin", path: `${PATH}/new` },
  {
    name: "announcement-new-errors",
    as: "admin",
    path: `${PATH}/new`,
    act: async (page) => {
      await page.getByLabel("Who gets it *").selectOption("The players of a venue");
      await pressInVain(page, "Preview");
    },
  },
  { name: "announcement-preview", as: "admin", path: `${PATH}/new`, act: preview },
  { name: "announcement-stopped", as: "admin", path: `${PATH}/${STOPPED}` },
];

async function preview(page: Page) {
  await page.getByLabel("Who gets it *").selectOption("Who has played lately");
  await page.getByLabel("Subject *").fill("New balls, new bibs");
  await page.getByLabel("Message *").fill("Hi all,\n\nFrom Monday on we play with new balls.");
  await press(page, "Preview");
  await page.getByRole("group", { name: "Preview" }).waitFor();
}
