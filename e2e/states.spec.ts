import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";

test("a slow page shows that it is on its way, and the games their skeletons", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/wallet");
  await page.waitForLoadState("networkidle");
  const held = Promise.withResolvers<void>();
  await page.route(/\/(profile|events)\.data/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Profile" }).click();
  await expect(page.locator(".page-progress")).toBeVisible();
  await menu.getByRole("link", { name: "Games", exact: true }).click();
  const skeletons = page.getByRole("status", { name: "Loading games" }).getByRole("listitem");
  await expect(skeletons).toHaveCount(6);
  held.resolve();
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.getByRole("link", { name: /spots left/ }).first()).toBeVisible();
  await expect(page.locator(".page-progress")).toBeHidden();
});

test("a message lies over an open dialog and can be pressed there", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  const { free } = await findGames(database.db);
  await page.goto(`/events/${free}`);
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page.getByText("You're attending this game!").first()).toBeVisible();
  await page.goto("/bookings");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: /^Cancel/ }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
  await page.route("**/bookings.data*", (route) => route.abort());
  await dialog.getByRole("button", { name: "Cancel booking" }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("The connection failed.");
  await expect(dialog).toBeVisible();
  await said.getByRole("button", { name: "Dismiss" }).click();
  await expect(said).not.toContainText("The connection failed.");
  await expect(dialog).toBeVisible();
  await page.unroute("**/bookings.data*");
  await dialog.getByRole("button", { name: "Cancel booking" }).click();
  await expect(said).toContainText("Booking cancelled");
  await expect(dialog).toBeHidden();
});

test("a message that its page shows nothing else of stays at the top until the next page", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/settings/change-password");
  await page.getByLabel("Current password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill("Another2Password");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Another2Password");
  await page.getByRole("button", { name: "Update password" }).click();
  await expect(page).toHaveURL(/\/settings$/);
  const said = page.getByText("Password updated successfully");
  await expect(said).toHaveCount(1);
  await expect(said).toBeInViewport();
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  await page.getByRole("link", { name: "Your devices" }).click();
  await expect(page.getByRole("heading", { name: "Your devices" })).toBeVisible();
  await expect(said).toHaveCount(0);
});

// spec: 9.38
test("a toast stays for five seconds", async ({ page }) => {
  await page.clock.install();
  await page.goto("/auth");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("email", { exact: true }).fill("nobody@uni.example");
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("Sign in failed");
  await page.clock.runFor(4_900);
  await expect(said).toContainText("Sign in failed");
  await page.clock.runFor(200);
  await expect(said).not.toContainText("Sign in failed");
});
