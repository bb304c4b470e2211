import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

// spec: 9.18
test("a first session is free, says so, and cannot be had back", async ({
  page,
  signIn,
  database,
}) => {
  await signIn("broke");
  const { free } = await findGames(database.db);
  await page.goto(`/events/${free}`);
  const main = page.getByRole("main");
  await expect(main.locator("#join").getByText("Free", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(main.getByText("You're attending this game!")).toBeVisible();
  const toast = page.getByRole("region", { name: "Notifications" });
  await expect(toast).toContainText("Successfully joined!");
  await expect(toast).not.toContainText("credits");

  await page.getByRole("navigation").getByRole("link", { name: "My Games" }).click();
  await expect(main.getByRole("article")).toContainText("Free");
  await main.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
  await expect(dialog).toContainText("irreversible");
  await dialog.getByRole("button", { name: "Cancel booking" }).click();
  const earlier = page.getByRole("region", { name: "Earlier" });
  await expect(earlier.getByRole("listitem")).toContainText("Cancelled");

  await page.goto(`/events/${free}`);
  await expect(main.locator("#join").getByText("10 credits", { exact: true })).toBeVisible();
});
