import { setTimeout as delay } from "node:timers/promises";
import type { Locator } from "@playwright/test";
import { findGames } from "./games.ts";
import { expect, type Page, test as base } from "./fixtures.ts";
import { isLong } from "#test/long.ts";
import { openStage } from "./waitlist-stage.ts";

const test = base.extend<{ stage: ReturnType<typeof openStage> }>({
  stage: async ({ baseURL, dataDir, database }, use) =>
    use(openStage({ url: baseURL!, dataDir, db: database.db }, database)),
});

/** Longer than it takes until a page says that it is loading. */
const SLOW_MS = 500;

const heading = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });
const title = (page: Page) => page.locator("body > p[aria-live=polite]");

test("a way to another page leads to its heading, and back to where one was", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/events");
  await page.waitForLoadState("networkidle");
  await expect(page.locator("body")).toBeFocused();
  await expect(title(page)).toBeEmpty();
  const region = await title(page).elementHandle();
  const card = page.getByRole("main").getByRole("listitem").getByRole("link").nth(12);
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(500);
  await card.click();
  await expect(page).toHaveURL(/\/events\/[\w-]{36}$/);
  await expect(heading(page)).toBeFocused();
  await expect(heading(page)).toHaveCSS("outline-style", "none");
  await expect(heading(page)).toHaveAttribute("tabindex", "-1");
  // The same element that was empty at first.
  await expect.poll(() => region?.textContent()).toBe(await page.title());
  expect(await page.evaluate(() => window.scrollY)).toBeLessThan(100);
  await page.goBack();
  await expect(page).toHaveURL(/\/events$/);
  await expect(heading(page)).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
  await expect.poll(() => region?.textContent()).toBe(await page.title());
});

test("another search or a response leaves the focus where it is", async ({ page, signIn }) => {
  await page.goto("/venues");
  const box = page.getByRole("combobox", { name: "City" });
  await box.click();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?city=Espoo$/);
  await expect(box).toBeFocused();
  await expect(title(page)).toBeEmpty();
  await signIn("player");
  await page.goto("/bookings");
  await page.getByRole("button", { name: "Buy credits" }).click();
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await expect(plans).toBeVisible();
  await expect(plans.locator(":focus")).toHaveCount(1);
  await expect(title(page)).toBeEmpty();
});

test("applying filters keeps the focus on their button, however slow the response", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/events");
  await page.waitForLoadState("networkidle");
  await page.route("**/events.data*", async (route) => {
    await delay(SLOW_MS);
    await route.continue();
  });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("checkbox", { name: "Indoor" }).check();
  await page.getByRole("button", { name: "Apply Selection" }).press("Enter");
  await expect(page).toHaveURL(/indoor=1/);
  await expect(page.getByRole("link", { name: "Remove Indoor" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Filters" })).toBeFocused();
  await page.getByRole("link", { name: "Remove Indoor" }).press("Enter");
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.getByRole("link", { name: "Remove Indoor" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Filters" })).toBeFocused();
});

interface InvalidForm {
  path: string;
  button: string;
  isSignedIn?: boolean;
}
const FORMS: InvalidForm[] = [
  { path: "/auth", button: "Sign In" },
  { path: "/auth?tab=sign-up", button: "Sign up" },
  { path: "/settings/change-password", button: "Update password", isSignedIn: true },
  { path: "/settings/contact-support", button: "Send message", isSignedIn: true },
  { path: "/settings/leave-review", button: "Submit review", isSignedIn: true },
  { path: "/profile", button: "Save changes", isSignedIn: true },
];

// LONG=1 takes all of them, otherwise the ones with most fields, a text of many lines and a dialog.
const CHECKED = FORMS.filter((_, n) => isLong || n % 2 === 1);

test("a rejected form leads to what is wrong, and that to its fields", async ({ page, signIn }) => {
  for (const { path, button, isSignedIn } of CHECKED) {
    if (isSignedIn) await signIn("player");
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    if (path === "/profile") await emptyName(page);
    await page.getByRole("button", { name: button, exact: true }).click();
    const summary = page.getByRole("main").getByRole("alert");
    await expect(summary, path).toBeFocused();
    for (const link of await summary.getByRole("link").all()) await leadsToField(page, link);
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(summary, `${path} again`).toBeFocused();
  }
});

async function emptyName(page: Page) {
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.getByLabel("First Name *").fill("");
}

/** To a field that is described by the same message, or its group is, when one comes there. */
async function leadsToField(page: Page, link: Locator) {
  const message = (await link.textContent()) ?? "";
  await link.press("Enter");
  const described = page.locator("[aria-describedby]").filter({ has: page.locator(":focus") });
  const group = described.or(page.locator(":focus[aria-describedby]")).last();
  await expect(group).toHaveAccessibleDescription(new RegExp(escaped(message)));
  await expect(link).toBeVisible();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

test("a later message appears in a region that was there before", async ({
  page,
  context,
  database,
  signIn,
}) => {
  await signIn("player");
  const { open } = await findGames(database.db);
  const html = await (await page.request.get(`/events/${open}`)).text();
  const notifications = /<section[^>]*aria-label="Notifications"[^>]*>(.*?)<\/section>/s;
  const inHtml = notifications.exec(html)?.[1] ?? "";
  expect(inHtml.match(/aria-live="(polite|assertive)"[^>]*><\/ol>/g)).toHaveLength(2);
  await context.grantPermissions(["clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  await page.goto(`/events/${open}`);
  const region = page.getByRole("region", { name: "Notifications" });
  const polite = await region.locator("[aria-live=polite]").elementHandle();
  await page.getByRole("button", { name: "SHARE GAME" }).click();
  await expect.poll(() => polite?.textContent()).toContain("Link copied!");
  const assertive = await region.locator("[aria-live=assertive]").elementHandle();
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  await page.getByRole("button", { name: "SHARE GAME" }).click();
  await expect.poll(() => assertive?.textContent()).toContain("Could not copy link");
  await expect(region.getByRole("listitem")).toHaveCount(1);
});

test("what follows on a button that is gone with its dialog has the focus", async ({
  page,
  signIn,
  stage,
}) => {
  const { gameId } = await stage.fullGame();
  const waiter = await stage.player();
  await signIn(waiter.who);
  await page.goto(`/events/${gameId}`);
  const bar = page.locator("#join");
  const press = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
  await bar.getByRole("button", { name: "Join waitlist" }).first().click();
  await press("Join waitlist");
  await expect(bar).toContainText("You are 1st of 1 on the waitlist");
  await expect(bar).toBeFocused();
  await press("Manage");
  await press("Leave waitlist");
  await press("Leave for good");
  await expect(bar.getByRole("button", { name: "Join waitlist" })).toBeVisible();
  await expect(bar).toBeFocused();
  await stage.wait(waiter, gameId, "auto");
  await page.goto("/bookings");
  await page.getByRole("button", { name: "Leave waitlist" }).click();
  await press("Leave for good");
  await expect(page.getByRole("region", { name: "Waitlist" })).toHaveCount(0);
  await expect(heading(page)).toBeFocused();
});

test("a button that a change of others takes away leaves the focus beside it", async ({
  page,
  signIn,
  stage,
}) => {
  const { gameId } = await stage.game(1);
  const [looks, joins] = [await stage.player(), await stage.player()];
  await signIn(looks.who);
  await page.goto(`/events/${gameId}`);
  await page.getByRole("button", { name: "Join game" }).focus();
  expect(await stage.join(joins, gameId)).toBe(302);
  await expect(page.getByRole("button", { name: "GAME FULL" })).toBeVisible();
  await expect(page.locator("#join")).toBeFocused();
});

test("nothing takes the focus that somebody has given up", async ({ page, signIn, stage }) => {
  const { gameId } = await stage.game(1);
  const [looks, joins] = [await stage.player(), await stage.player()];
  await signIn(looks.who);
  await page.goto(`/events/${gameId}`);
  await page.getByRole("button", { name: "Join game" }).focus();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  expect(await stage.join(joins, gameId)).toBe(302);
  await expect(page.getByRole("button", { name: "GAME FULL" })).toBeVisible();
  await expect(page.locator("body")).toBeFocused();
});
