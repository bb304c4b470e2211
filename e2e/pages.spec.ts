import { listAttendees } from "#app/features/bookings/bookings.server.ts";
import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

const NO_GAME = "00000000-0000-4000-8000-000000000000";

// spec: 2.2, 2.20, 2.22, 2.34
test("who is signed in goes to the games", async ({ page, signIn }) => {
  await signIn("player");
  for (const path of ["/", "/auth", "/home"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/events$/);
  }
});

// spec: 2.4
test("who is signed out goes to the landing page", async ({ page }) => {
  await page.goto("/events");
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

// spec: 1.13
test("the partners pass by until they are paused, without a script", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  await expect(page.locator('script:not([type="application/ld+json"])')).toHaveCount(0);
  const partners = page.getByRole("region", { name: "They Trust Us" });
  const logos = partners.getByRole("img");
  // Four, and those that other tests add meanwhile.
  await expect(logos).not.toHaveCount(0);
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter((it) => it.playState === "running").length);
  expect(await moving()).toBe(2);
  await logos.first().hover({ force: true });
  expect(await moving()).toBe(0);
  await page.mouse.move(0, 0);
  expect(await moving()).toBe(2);
  await partners.getByRole("checkbox", { name: "Pause" }).check();
  expect(await moving()).toBe(0);
  for (const logo of await logos.all()) await expect(logo).toBeInViewport({ ratio: 1 });
  await partners.getByRole("checkbox", { name: "Pause" }).uncheck();
  expect(await moving()).toBe(2);
  await page.keyboard.press("Tab");
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(partners.getByRole("checkbox")).toBeHidden();
  expect(await moving()).toBe(0);
});

// spec: 2.104
test("signing in leads back to where it was asked for, and signing out ends it", async ({
  page,
  context,
}) => {
  await page.goto("/bookings");
  await expect(page.getByText("Please sign in to view your bookings")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await page.getByLabel("email", { exact: true }).fill("player@uni.example");
  await page.getByLabel("password", { exact: true }).fill("Kickabout1");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/bookings$/);
  const response = await context.request.post("/sign-out", { maxRedirects: 0 });
  expect(response.status()).toBe(302);
  await page.goto("/events");
  await expect(page).toHaveURL(/:\d+\/$/);
});

// spec: 2.29, 8.42
test("an unknown address is a 404 that leads home", async ({ page }) => {
  const response = await page.goto("/nowhere");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

// spec: 2.78, 8.39
test("a missing game is a 404 that leads back", async ({ page, signIn }) => {
  await signIn("player");
  for (const id of [NO_GAME, "not-an-id", "%F0%9F%98%80"]) {
    const response = await page.goto(`/events/${id}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByText("Game not found").last()).toBeVisible();
  }
  await page.getByRole("link", { name: "Back to Games" }).click();
  await expect(page).toHaveURL(/\/events$/);
});

test("the old address of a game leads to the new one", async ({ request, database }) => {
  const { open } = await findGames(database.db);
  const response = await request.get(`/games/${open}`, { maxRedirects: 0 });
  expect(response.status()).toBe(301);
  expect(response.headers().location).toBe(`/events/${open}`);
});

// spec: 2.77, 4.20
test("a full game cannot be joined", async ({ page, signIn, database }) => {
  await signIn("player");
  const { full } = await findGames(database.db);
  await page.goto(`/events/${full}`);
  await expect(page.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
  await expect(page.getByText("0 spots left").first()).toBeVisible();
});

// spec: 2.79
test("a visitor is sent to sign in by joining, and then back", async ({ page, database }) => {
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page).toHaveURL(`/auth?redirectTo=${encodeURIComponent(`/events/${open}`)}`);
});

// spec: 6.2
test("the bytes of a visitor's page name no player", async ({ request, database }) => {
  const { joined } = await findGames(database.db);
  const players = await listAttendees(database.db, joined);
  expect(players.length).toBeGreaterThan(4);
  for (const path of [`/events/${joined}`, `/events/${joined}.data`]) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    const bytes = await response.text();
    for (const { userId, firstName, lastName } of players) {
      expect(bytes).not.toContain(userId);
      expect(bytes).not.toContain(`${firstName} ${lastName}`);
      expect(bytes).not.toMatch(new RegExp(`\\b${firstName}\\b`));
    }
  }
});

// spec: 2.18
test("without a connection the page says so, and goes on when it is back", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/events");
  await page.waitForLoadState("networkidle");
  await page.route("**/bookings.data*", (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "My Games" }).click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await page.getByText("Details").click();
  await expect(page.getByRole("group")).not.toContainText(/\bat .*:\d+/);
  await page.unroute("**/bookings.data*");
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { name: /NEXT GAMES|Hi Eero/ }).first()).toBeVisible();
});
