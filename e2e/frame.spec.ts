import { expect, type Page, test } from "./fixtures.ts";

const PHONE = { width: 767, height: 844 };
const DESKTOP = { width: 768, height: 844 };

// spec: 1.22, 2.10
test("the footer is for wide screens, the bar at the bottom for phones", async ({
  page,
  signIn,
}) => {
  const footer = page.getByRole("contentinfo");
  const navigation = page.getByRole("navigation", { name: "Main" });
  for (const path of ["/", "/venues"]) {
    await page.goto(path);
    await page.setViewportSize(PHONE);
    await expect(footer).toBeHidden();
    await page.setViewportSize(DESKTOP);
    await expect(footer).toContainText("© 2025");
  }
  await signIn("admin");
  await page.goto("/venues");
  await expect(navigation.getByRole("link")).toHaveText([
    ...["Games", "My Games", "Venues", "Profile", /^\s*Admin\d*$/],
  ]);
  await page.setViewportSize(PHONE);
  await expect(footer).toBeHidden();
  await expect(navigation.getByRole("link")).toHaveText(["Games", "My Games", "Venues", "Profile"]);
});

// spec: 2.11
test("where the logo's picture fails, its initial replaces it", async ({ page }) => {
  await page.goto("/venues");
  const logo = page.getByRole("link", { name: "Kickabout" });
  await expect(logo.locator("img")).toBeVisible();
  await page.route("**/favicon.svg", (route) => route.abort());
  await page.goto("/venues");
  await expect(logo.getByText("K", { exact: true })).toBeVisible();
  await expect(logo.locator("img")).toHaveCount(0);
});

// spec: 2.19
test("Refresh Page asks for the whole page again", async ({ page, signIn }) => {
  await signIn("player");
  await page.goto("/events", { waitUntil: "networkidle" });
  await page.route("**/bookings.data*", (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "My Games" }).click();
  await page.getByRole("button", { name: "Refresh Page" }).click();
  await expect(page).toHaveURL(/\/bookings$/);
  await expect(page.getByRole("heading", { name: "NEXT GAMES" })).toBeVisible();
});

// spec: 2.55, 9.26
test("six cards stand in for the games while they are loaded", async ({ page, signIn }) => {
  await signIn("player");
  await page.goto("/venues", { waitUntil: "networkidle" });
  const goOn = await hold(page, "**/events.data*");
  await page.getByRole("navigation").getByRole("link", { name: "Games", exact: true }).click();
  const skeleton = page.getByRole("status", { name: "Loading games" });
  await expect(skeleton.getByRole("listitem")).toHaveCount(6);
  goOn();
  await expect(page.getByRole("heading", { name: /^Hi / })).toBeVisible();
  await expect(skeleton).toHaveCount(0);
});

// spec: 2.36
test("a password is shown and hidden again", async ({ page }) => {
  await page.goto("/auth");
  const password = page.getByRole("textbox", { name: "password", exact: true });
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

/** Holds back the responses to these requests until the returned function is called. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
