import { expect, type Page } from "./fixtures.ts";

/** What a player reads once, right after joining a game. */
export const joinedSheet = (page: Page) => page.getByRole("dialog", { name: "You're in" });

/** With and without JavaScript. */
export async function closeJoinedSheet(page: Page): Promise<void> {
  await joinedSheet(page).getByRole("link", { name: "Done" }).click();
  await expect(joinedSheet(page)).toBeHidden();
  await expect(page).toHaveURL(/\/events\/[\w-]{36}$/);
}
