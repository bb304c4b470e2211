import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, firstCases, type Page, test, whenStarted } from "./fixtures.ts";
import { closeJoinedDialog } from "./joined.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";

// spec: 2.71
test("a game without players says so and leads to joining", async ({ page, signIn, database }) => {
  await signIn("player");
  const { empty } = await findGames(database.db);
  await page.goto(`/events/${empty}`);
  await expect(page.getByText("This game has no players yet.")).toBeVisible();
  await page.getByRole("link", { name: "Join game" }).click();
  await expect(page).toHaveURL(/#join$/);
  await expect(page.getByRole("button", { name: "Join game" })).toBeInViewport();
});

// spec: 2.59
test("the photos of a game's venue turn", async ({ page, database }) => {
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  const photos = page.getByRole("group", { name: /^Photos of/ });
  await expect(photos.getByRole("group", { name: "Slide 1 of 3" })).toBeInViewport({ ratio: 0.9 });
  await photos.getByRole("button", { name: "Next slide" }).click();
  await expect(photos.getByRole("group", { name: "Slide 2 of 3" })).toBeInViewport({ ratio: 0.9 });
});

const WAYS = {
  "is swiped": (photos: Locator) =>
    photos.evaluate((element) => element.firstElementChild!.scrollBy({ left: 200 })),
  "has the focus": (photos: Locator) => photos.locator("[tabindex]").focus(),
  "is pointed at": (photos: Locator) => photos.hover(),
  "is turned": (photos: Locator) => photos.getByRole("button", { name: "Next slide" }).click(),
};

for (const [way, comeNear] of firstCases(Object.entries(WAYS))) {
  test(`a game's other photos load once the first ${way}`, async ({ page, database }) => {
    const asked = photosAsked(page);
    await page.goto(`/events/${(await findGames(database.db)).open}`);
    await whenStarted(page);
    await page.waitForLoadState("networkidle");
    expect(numbersOf(asked)).toEqual(["1"]);
    const photos = page.getByRole("group", { name: /^Photos of/ });
    await expect(photos.getByRole("img")).toHaveCount(3);
    await comeNear(photos);
    await expect.poll(() => numbersOf(asked)).toEqual(["1", "2", "3"]);
  });
}

test("without scripts a game's photos load by themselves", async ({
  browser,
  baseURL,
  database,
}) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  const asked = photosAsked(page);
  await page.goto(`/events/${(await findGames(database.db)).open}`);
  await expect.poll(() => numbersOf(asked)).toEqual(["1", "2", "3"]);
  await context.close();
});

function photosAsked(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** `/photos/<name>-<number>-<width>.avif`. */
const numbersOf = (paths: string[]) =>
  paths.flatMap((path) => /^\/photos\/.+-(\d)-\d+\./.exec(path)?.[1] ?? []).toSorted();

// spec: 8.19
test("who joins stays where they are on the page, and sees it", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  const { free } = await findGames(db);
  await signIn(who);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/events/${free}`);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => window.scrollTo(0, 40));
  const heading = page.getByRole("heading", { level: 1 });
  // Its width is what the spots left beside it leave.
  const { x, y } = (await heading.boundingBox())!;
  await page.getByRole("button", { name: "Join game" }).click();
  try {
    await closeJoinedDialog(page);
    await expect(page.getByText("You're attending this game!")).toBeInViewport({ ratio: 1 });
    await expect(page.locator("#join")).toBeFocused();
    expect(await heading.boundingBox()).toMatchObject({ x, y });
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

// spec: 2.60
test("Back leads to the games as they were, after joining too", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  const { free, empty } = await findGames(db);
  await signIn(who);
  await page.goto("/events?city=all");
  const card = (id: string) => page.locator(`a[href="/events/${id}"]`);
  const back = page.getByRole("link", { name: "Back", exact: true });
  await card(free).evaluate((link) => link.scrollIntoView({ block: "center" }));
  const scrolled = await page.evaluate(() => window.scrollY);
  await card(free).click();
  await page.getByRole("button", { name: "Join game" }).click();
  try {
    await closeJoinedDialog(page);
    await expect(page.getByText("You're attending this game!")).toBeVisible();
    // The click itself is asked: Playwright may not see a tab that opens in the background.
    await page.evaluate(() => {
      const answer = (click: MouseEvent) => {
        document.body.dataset.click = click.defaultPrevented ? "taken" : "left to the browser";
        click.preventDefault();
      };
      window.addEventListener("click", answer, { once: true });
    });
    await back.click({ modifiers: ["ControlOrMeta"] });
    await expect(page.locator("body")).toHaveAttribute("data-click", "left to the browser");
    await expect(back).toHaveAttribute("href", "/events?city=all");
    await back.click();
    await expect(page).toHaveURL("/events?city=all");
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
    await card(empty).click();
    await page.getByRole("link", { name: "Join game" }).click();
    await expect(page).toHaveURL(/#join$/);
    await back.click();
    await expect(page).toHaveURL("/events?city=all");
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test("a page that another tab has overtaken is read again when its form is rejected", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  const { free } = await findGames(db);
  await signIn(who);
  // Otherwise it may follow, and have no button any more.
  await page.route("**/live?*", (route) => route.abort());
  await page.goto(`/events/${free}`);
  await page.waitForLoadState("networkidle");
  await page.request.post(`/events/${free}`, { form: { intent: "join" }, maxRedirects: 0 });
  // The other tab has shown its message.
  await page.context().clearCookies({ name: "kickabout_toast" });
  await page.getByRole("button", { name: "Join game" }).click();
  try {
    await expect(notice(page)).toContainText("You're already in this game.");
    await expect(page.getByText("You're attending this game!")).toBeVisible();
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test.describe("as plain HTML, on a phone on its side", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 844, height: 360 } });

  // spec: 8.17
  test("the page of a failed join begins with the reason", async ({ page, signIn, database }) => {
    await signIn("player");
    const { open } = await findGames(database.db);
    await page.goto(`/events/${open}`);
    const shown = page.locator("input[name=priceShown]");
    await shown.evaluate((field) => field.setAttribute("value", "9"));
    await page.getByRole("button", { name: "Join game" }).click();
    const why = page.getByRole("alert").filter({ hasText: "The price is now 10 credits." });
    await expect(why).toBeInViewport({ ratio: 1 });
    await expect(page.locator(":focus")).toContainText("The price is now 10 credits.");
  });
});

const notice = (page: Page) => page.getByRole("region", { name: "Notifications" });
const share = (page: Page) => page.getByRole("button", { name: "SHARE GAME", exact: true });

// spec: 2.61, 2.82, 8.36
test("a game's link is copied where the browser cannot share", async ({
  page,
  context,
  baseURL,
  database,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}?utm=x`);
  await share(page).click();
  await expect(notice(page)).toContainText("Link copied!");
  await expect(notice(page)).toContainText("Game link copied to clipboard");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${baseURL}/events/${open}`);
});

test("who is in saves the game for a calendar and copies its link for friends", async ({
  page,
  context,
  baseURL,
  signIn,
  database,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  const { joined } = await findGames(database.db);
  await signIn("player");
  await page.goto(`/events/${joined}`);
  await page.waitForLoadState("networkidle");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Manage my spot" }).click();
  const spot = page.getByRole("dialog", { name: "Manage my spot" });
  await spot.getByRole("link", { name: "Add to calendar" }).click();
  expect((await file).suggestedFilename()).toBe("game.ics");
  expect(await readFile(await (await file).path(), "utf8")).toContain(`UID:${joined}`);
  await spot.getByRole("button", { name: "Close" }).click();
  await share(page).click();
  await expect(notice(page)).toContainText("Link copied!");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${baseURL}/events/${joined}`);
});

// spec: 8.37
test("a link that cannot be copied is reported", async ({ page, database }) => {
  await page.addInitScript(() => {
    const writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    Object.assign(navigator, { share: undefined });
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  await share(page).click();
  await expect(notice(page)).toContainText("Could not copy link to clipboard.");
});

// spec: 2.80, 2.81, 8.38
test("a browser that can share does, and a dismissed dialog is no failure", async ({
  page,
  baseURL,
  database,
}) => {
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, {
      share: async (wish: ShareData) => {
        shared.push(wish);
        throw new DOMException("dismissed", "AbortError");
      },
    });
  });
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  await share(page).click();
  const shared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
  await expect
    .poll(shared)
    .toEqual([{ title: expect.stringMatching(/\d\d:\d\d$/), url: `${baseURL}/events/${open}` }]);
  await expect(notice(page).getByRole("listitem")).toHaveCount(0);
  expect(failures).toEqual([]);
});
