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

test("a toast's message stays on the page when the toast is gone", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/settings");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Logout" }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("You have been successfully logged out.");
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const lasting = page.getByRole("main").getByText("You have been successfully logged out.");
  await expect(lasting).toHaveCount(0);
  const heading = page.getByRole("heading", { level: 1 });
  const place = await heading.boundingBox();
  await said.getByRole("button", { name: "Dismiss" }).click();
  await expect(lasting).toBeVisible();
  expect(await heading.boundingBox()).toEqual(place);
});

// spec: 9.38
test("a toast stays for eight seconds", async ({ page }) => {
  await page.clock.install();
  await page.goto("/auth");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("email", { exact: true }).fill("nobody@uni.example");
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("Sign in failed");
  await page.clock.runFor(7_900);
  await expect(said).toContainText("Sign in failed");
  await page.clock.runFor(200);
  await expect(said).not.toContainText("Sign in failed");
});
