import { expect, type Page } from "./fixtures.ts";

/** What a player reads once, right after joining a game. */
export const joinedDialog = (page: Page) => page.getByRole("dialog", { name: "You're in" });

/** With and without JavaScript. */
export async function closeJoinedDialog(page: Page): Promise<void> {
  await joinedDialog(page).getByRole("link", { name: "Done" }).click();
  await expect(joinedDialog(page)).toBeHidden();
  await expect(page).toHaveURL(/\/events\/[\w-]{36}$/);
}
