import { sql } from "kysely";
import type { Connection } from "#app/platform/connect.server.ts";
import type { Response } from "@playwright/test";
import { expect, type Page, test } from "./fixtures.ts";
import { listen, setHidden } from "./live-pages.ts";
import { addPlayer, addRaceGames, enterPlayer, join, type Player } from "./players.ts";
import { sessionCookie } from "./site.ts";

/** A game with two spots that nobody else of the run plays in, and two who may join it. */
async function stage(database: Connection, site: { url: string; dataDir: string }) {
  const [gameId = ""] = await addRaceGames(database.db, { count: 1, spots: 2 });
  // Within the two weeks that the list shows, on a day of its own hour.
  await sql`update games set date = current_date + 9, start_time = '06:05', end_time = '07:05'
    where id = ${gameId}`.execute(database.db);
  const name = `live-${gameId.slice(0, 8)}`;
  const enter = (which: string) =>
    enterPlayer(site, database, { name: `${name}-${which}`, credits: 20 });
  return { gameId, first: await enter("first"), second: await enter("second") };
}

/** No document is loaded again, whatever else is. */
function countDocuments(page: Page) {
  let count = 0;
  page.on("request", (request) => (count += request.resourceType() === "document" ? 1 : 0));
  return () => count;
}

const streamOf = (page: Page) =>
  page.waitForRequest((request) => request.resourceType() === "eventsource");

test("spots roll in on the list, the game, My Games and the roster, and are read out, without a reload", async ({
  browser,
  baseURL,
  dataDir,
  database,
  signIn,
  page: roster,
}) => {
  const site = { url: baseURL!, dataDir };
  const { gameId, first, second } = await stage(database, site);
  const { who, userId } = await addPlayer(database.db);
  await database.db
    .insertInto("bookings")
    .values({ user_id: userId, game_id: gameId, payment_status: "Paid", price_eur: "0" })
    .execute();
  await sql`update games set max_players = 3 where id = ${gameId}`.execute(database.db);
  expect(who).toContain("e2e");
  await signIn("admin");
  const context = await browser.newContext({ baseURL: baseURL!, serviceWorkers: "block" });
  const cookie = (await sessionCookie({ ...site, db: database.db }, userId)).split("=");
  const [name = "", ...value] = cookie;
  await context.addCookies([{ name, value: value.join("="), url: baseURL! }]);
  const visitors = await browser.newContext({ baseURL: baseURL!, serviceWorkers: "block" });
  const [list, tickets, game] = [
    await context.newPage(),
    await context.newPage(),
    await visitors.newPage(),
  ];
  const pages = [list, tickets, game, roster];
  const loaded = pages.map(countDocuments);
  const streams = pages.map(streamOf);
  await list.goto("/events");
  await tickets.goto("/bookings");
  await game.goto(`/events/${gameId}`);
  await roster.goto(`/admin/games/${gameId}`);
  await Promise.all(streams);
  const card = list.locator(`main a[href="/events/${gameId}"]`);
  const ticket = tickets
    .getByRole("article")
    .filter({ has: tickets.locator(`[href="/events/${gameId}"]`) });
  const badge = game.locator("header").getByText(/spots left/);
  await expect(card).toContainText("2 spots left");
  await expect(ticket).toContainText("2 spots left");
  await expect(badge).toHaveText("2 spots left");
  await expect(roster.getByText("1 in · 2 spots left")).toBeVisible();
  const [, onTickets, onGame, onRoster] = await Promise.all(pages.map(listen));
  expect(await join(baseURL!, first, gameId)).toBe(302);
  await expect(card).toContainText("1 spots left");
  await expect(ticket).toContainText("1 spots left");
  await expect(badge).toHaveText("1 spots left");
  await expect(roster.getByText("2 in · 1 spots left")).toBeVisible();
  await expect(game.getByRole("button", { name: "Join game" })).toBeVisible();
  expect(await join(baseURL!, second, gameId)).toBe(302);
  await expect(card).toContainText("0 spots left");
  await expect(ticket).toContainText("0 spots left");
  await expect(game.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
  await expect(roster.getByText("3 in · 0 spots left")).toBeVisible();
  await expect(game.getByText("3 confirmed")).toBeVisible();
  expect(loaded.map((count) => count())).toEqual([1, 1, 1, 1]);
  await expect(card.locator(".roll")).toHaveText("0");
  for (const { rolled } of [onTickets!, onGame!, onRoster!]) {
    expect(await rolled()).toEqual(expect.arrayContaining(["1", "0"]));
  }
  for (const { heard } of [onGame!, onRoster!]) {
    expect(await heard()).toEqual(["1 spots left", "0 spots left"]);
  }
  const said = (await onTickets!.heard()).map((text) => text.replace(/^.+, [A-Z]+DAY: /, ""));
  expect(said).toEqual(["1 spots left", "0 spots left"]);
  await context.close();
  await visitors.close();
});

test.describe("on the page of a game", () => {
  let gameId: string;
  let first: Player;
  test.beforeEach(async ({ database, baseURL, dataDir, page }) => {
    ({ gameId, first } = await stage(database, { url: baseURL!, dataDir }));
    const stream = streamOf(page);
    await page.goto(`/events/${gameId}`);
    await stream;
  });

  test("a change is read out once, and takes neither focus nor place", async ({
    page,
    baseURL,
  }) => {
    const link = page.getByRole("link", { name: "Terms & Conditions" });
    await link.focus();
    const before = await page.evaluate(() => scrollY);
    const said = page.locator("p[aria-live=polite]", { hasText: "spots left" });
    await expect(said).toHaveCount(0);
    const { heard } = await listen(page);
    expect(await join(baseURL!, first, gameId)).toBe(302);
    await expect(page.getByText("1 confirmed")).toBeVisible();
    await expect(link).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(before);
    expect(await heard()).toEqual(["1 spots left"]);
  });

  test("data that was read before a change and comes after it takes nothing back", async ({
    page,
    baseURL,
    database,
    dataDir,
  }) => {
    const site = { url: baseURL!, dataDir };
    const second = await enterPlayer(site, database, { name: `late-${gameId}`, credits: 20 });
    const [read, come] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**/events/${gameId}.data*`, async (route) => {
      const response = await route.fetch();
      read.resolve();
      await come.promise;
      await route.fulfill({ response });
    });
    const { heard } = await listen(page);
    expect(await join(baseURL!, first, gameId)).toBe(302);
    await read.promise;
    expect(await join(baseURL!, second, gameId)).toBe(302);
    await expect(page.locator("header").getByText("0 spots left")).toBeVisible();
    come.resolve();
    await expect(page.getByText("2 confirmed")).toBeVisible();
    await expect(page.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
    expect(await heard()).toEqual(["1 spots left", "0 spots left"]);
  });

  test("data that cannot be read again leaves the page as it is, with the new number", async ({
    page,
    baseURL,
  }) => {
    await page.route(`**/events/${gameId}.data*`, (route) =>
      route.fulfill({ status: 503, body: "no database" }),
    );
    const failed = page.waitForResponse((response) => response.status() === 503);
    expect(await join(baseURL!, first, gameId)).toBe(302);
    await failed;
    await expect(page.locator("header").getByText("1 spots left")).toBeVisible();
    await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("a hidden tab closes its stream, and a tab that is seen again hears what it missed", async ({
    page,
    baseURL,
  }) => {
    const closed = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("/live?"),
    );
    await setHidden(page, true);
    await closed;
    expect(await join(baseURL!, first, gameId)).toBe(302);
    const again = streamOf(page);
    await setHidden(page, false);
    await again;
    await expect(page.locator("header").getByText("1 spots left")).toBeVisible();
  });
});

test("without streams a page is as it was loaded", async ({ page, baseURL, database, dataDir }) => {
  const { gameId, first } = await stage(database, { url: baseURL!, dataDir });
  await page.route("**/live?*", (route) => route.abort());
  const stream = streamOf(page);
  await page.goto(`/events/${gameId}`);
  await stream;
  expect(await join(baseURL!, first, gameId)).toBe(302);
  await page.reload();
  await expect(page.locator("header").getByText("1 spots left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
});

test("a page whose stream was rejected comes back later, and then follows", async ({
  page,
  baseURL,
  database,
  dataDir,
}) => {
  const { gameId, first } = await stage(database, { url: baseURL!, dataDir });
  await page.clock.install();
  let asked = 0;
  await page.route("**/live?*", async (route) => {
    asked += 1;
    if (asked > 2) return route.continue();
    return route.fulfill({ status: 503, headers: { "Retry-After": "30" }, body: "Too many" });
  });
  await page.goto(`/events/${gameId}`);
  const askedAfter = (ms: number) => async () => {
    await page.clock.fastForward(ms);
    return asked;
  };
  await expect.poll(() => asked).toBe(1);
  await page.clock.fastForward(7_500);
  await expect.poll(() => asked).toBe(2);
  const isOpened = (response: Response) => response.url().includes("/live?") && response.ok();
  const opened = page.waitForResponse(isOpened);
  await expect.poll(askedAfter(15_000)).toBe(3);
  await opened;
  await page.clock.resume();
  expect(await join(baseURL!, first, gameId)).toBe(302);
  await expect(page.locator("header").getByText("1 spots left")).toBeVisible();
  await expect(page.getByText("1 confirmed")).toBeVisible();
  expect(asked).toBe(3);
});
