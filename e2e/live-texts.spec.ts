import { sql } from "kysely";
import type { Connection } from "#app/platform/connect.server.ts";
import { expect, test as base } from "./fixtures.ts";
import { listen, openWithStream, setHidden } from "./live-pages.ts";
import { join, post } from "./players.ts";
import { signInAs } from "./site.ts";
import { openStage } from "./waitlist-stage.ts";

const test = base.extend<{ stage: ReturnType<typeof openStage> }>({
  stage: async ({ baseURL, dataDir, database }, use) =>
    use(openStage({ url: baseURL!, dataDir, db: database.db }, database)),
});

test("the position follows on the game's page and My Games when somebody ahead leaves", async ({
  page,
  context,
  signIn,
  stage,
  baseURL,
}) => {
  const { gameId } = await stage.fullGame();
  const [ahead, behind] = [await stage.player(), await stage.player()];
  await stage.wait(ahead, gameId, "auto");
  await stage.wait(behind, gameId, "auto");
  await signIn(behind.who);
  const mine = await context.newPage();
  await openWithStream(page, `/events/${gameId}`);
  await openWithStream(mine, "/bookings");
  const places = mine.getByRole("region", { name: "Waitlist" });
  await expect(page.getByText("You are 2nd of 2")).toBeVisible();
  await expect(places).toContainText("You are 2nd of 2");
  const left = { intent: "leave-waitlist" };
  expect(await post(baseURL!, `/events/${gameId}`, ahead.cookie, left)).toBe(302);
  await expect(page.getByText("You are 1st of 1")).toBeVisible();
  await expect(places).toContainText("You are 1st of 1");
  await stage.wait(await stage.player(), gameId, "auto");
  await expect(page.getByText("You are 1st of 2")).toBeVisible();
  await expect(places).toContainText("You are 1st of 2");
});

test("a form's error stays where it is when somebody joins meanwhile", async ({
  page,
  signIn,
  stage,
}) => {
  const { gameId } = await stage.game(9);
  await signIn("admin");
  await openWithStream(page, `/admin/games/${gameId}`);
  const unpublish = page.getByRole("button", { name: "Unpublish" });
  await page.route(`**/admin/games/${gameId}.data*`, async (route) => {
    // Somebody is in by the time that the form arrives.
    if (route.request().method() === "POST") await stage.join(await stage.player(), gameId);
    await route.continue();
  });
  await page.getByLabel("More", { exact: true }).click();
  await unpublish.click();
  const error = page.getByText("Failed to unpublish game");
  await expect(error).toBeVisible();
  expect(await stage.join(await stage.player(), gameId)).toBe(302);
  // The rows come with the page's own data, which is read again.
  await expect(page.getByRole("listitem", { name: /Runner/ })).toHaveCount(2);
  await expect(error).toBeVisible();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Edit game" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Players" })).toBeVisible();
  await expect(error).toHaveCount(0);
});

test("a tab that is seen again shows the position of now", async ({
  page,
  signIn,
  stage,
  baseURL,
}) => {
  const { gameId } = await stage.fullGame();
  const [ahead, behind] = [await stage.player(), await stage.player()];
  await stage.wait(ahead, gameId, "auto");
  await stage.wait(behind, gameId, "auto");
  await signIn(behind.who);
  await openWithStream(page, `/events/${gameId}`);
  await expect(page.getByText("You are 2nd of 2")).toBeVisible();
  await setHidden(page, true);
  const left = { intent: "leave-waitlist" };
  expect(await post(baseURL!, `/events/${gameId}`, ahead.cookie, left)).toBe(302);
  await setHidden(page, false);
  await expect(page.getByText("You are 1st of 1")).toBeVisible();
});

test("the list follows who is in of a minimum, and reads out which games fill up or open", async ({
  page,
  signIn,
  stage,
  database,
  baseURL,
}) => {
  const { gameId } = await stage.game(2);
  // Within the two weeks that the list shows, on a day of its own hour.
  await sql`update games set date = current_date + 9, start_time = '05:05', end_time = '05:55',
    min_players = 2 where id = ${gameId}`.execute(database.db);
  const [first, second] = [await stage.player(), await stage.player()];
  await signIn(first.who);
  await openWithStream(page, "/events");
  const card = page.locator(`main a[href="/events/${gameId}"]`);
  const said = page.locator("p[aria-live=polite]", { hasText: "05:05" });
  await expect(card).toContainText("On from 2 players. 0 so far.");
  expect(await join(baseURL!, first, gameId)).toBe(302);
  await expect(card).toContainText("On from 2 players. 1 so far.");
  expect(await join(baseURL!, second, gameId)).toBe(302);
  await expect(card).toContainText("0 spots left");
  await expect(said).toHaveText(/, 05:05: full now\./);
  await database.db
    .updateTable("games")
    .set({ max_players: 3, min_players: 3 })
    .where("id", "=", gameId)
    .execute();
  await expect(card).toContainText("On from 3 players. 2 so far.");
  await expect(said).toHaveText(/, 05:05: open again\./);
});

const setStatus = (database: Connection, gameId: string, status: "Cancelled" | "Draft") =>
  database.db.updateTable("games").set({ status }).where("id", "=", gameId).execute();

test("a game that is cancelled is no longer on in the list, for who is in and who comes back", async ({
  page,
  context,
  signIn,
  stage,
  database,
}) => {
  const { gameId } = await stage.game(3);
  await sql`update games set date = current_date + 9, start_time = '04:05', end_time = '04:55',
    min_players = 2 where id = ${gameId}`.execute(database.db);
  const player = await stage.player();
  expect(await stage.join(player, gameId)).toBe(302);
  await signIn(player.who);
  const hidden = await context.newPage();
  for (const list of [page, hidden]) {
    await openWithStream(list, "/events");
    await expect(list.locator(`main a[href="/events/${gameId}"]`)).toContainText("You're in");
  }
  await setHidden(hidden, true);
  await setStatus(database, gameId, "Cancelled");
  await expect(page.locator(`main a[href="/events/${gameId}"]`)).toContainText("No longer on");
  const said = page.locator("p[aria-live=polite]", { hasText: "04:05" });
  await expect(said).toHaveText(/, 04:05: no longer on\./);
  await setHidden(hidden, false);
  for (const list of [page, hidden]) {
    const card = list.locator(`main a[href="/events/${gameId}"]`);
    await expect(card).toContainText("No longer on");
    await expect(card).not.toContainText(/You're in|spots left|players/);
  }
});

test("an open page says, and reads out, that the hour on it is another one than before", async ({
  page,
  context,
  signIn,
  stage,
  database,
}) => {
  const { gameId } = await stage.game(3);
  await sql`update games set date = current_date + 9, start_time = '03:05', end_time = '03:55'
    where id = ${gameId}`.execute(database.db);
  const player = await stage.player();
  expect(await stage.join(player, gameId)).toBe(302);
  await signIn(player.who);
  const [mine, list] = [await context.newPage(), await context.newPage()];
  await openWithStream(page, `/events/${gameId}`);
  await openWithStream(mine, "/bookings");
  await openWithStream(list, "/events");
  const pages = [page, mine];
  const heard = await Promise.all(pages.map(async (one) => (await listen(one)).heard));
  const moved =
    /^Changed since you opened this page: now (\w+ \d+), 03:10 – 03:55, before \1, 03:05 – 03:55\.$/;
  // Another level is no other hour.
  const reread = page.waitForResponse((response) => response.url().includes(`${gameId}.data`));
  await sql`update games set level = 'Relaxed' where id = ${gameId}`.execute(database.db);
  await reread;
  for (const one of pages) await expect(one.getByText("Changed since")).toHaveCount(0);
  await sql`update games set start_time = '03:10' where id = ${gameId}`.execute(database.db);
  for (const [index, one] of pages.entries()) {
    await expect(one.getByText("03:10 – 03:55", { exact: true })).toBeVisible();
    await expect(one.getByText(moved)).toBeVisible();
    await expect.poll(heard[index]!).toEqual([expect.stringMatching(moved)]);
  }
  // The hour is out of sight there.
  await page.setViewportSize({ width: 390, height: 600 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(page.getByText(moved)).toBeInViewport();
  const said = list.locator("p[aria-live=polite]", { hasText: "03:10" });
  await expect(said).toHaveText(/, 03:10: moved\./);
  await page.reload();
  await expect(page.getByText("03:10 – 03:55", { exact: true })).toBeVisible();
  await expect(page.getByText("Changed since")).toHaveCount(0);
});

test("a tab that is seen again after its game was cancelled offers no spot", async ({
  page,
  stage,
  database,
}) => {
  const { gameId } = await stage.game(3);
  await openWithStream(page, `/events/${gameId}`);
  await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
  await setHidden(page, true);
  await setStatus(database, gameId, "Cancelled");
  await setHidden(page, false);
  await expect(page.getByRole("heading", { name: "Game not found" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Join game" })).toHaveCount(0);
});

test("a spot that is booked or held for who waits comes to My Games by itself", async ({
  page,
  signIn,
  stage,
}) => {
  // Not at the same hour: who has been offered one of them would not be booked for the other.
  const [booked, held] = [await stage.fullGame(), await stage.fullGame(12)];
  const player = await stage.player();
  await stage.wait(player, booked.gameId, "auto");
  await stage.wait(player, held.gameId, "ask");
  await signIn(player.who);
  await openWithStream(page, "/bookings");
  const places = page.getByRole("region", { name: "Waitlist" });
  await expect(places.getByText("You are 1st of 1")).toHaveCount(2);
  expect(await held.cancel()).toBe(302);
  await expect(places).toContainText("Spot held for you until");
  expect(await booked.cancel()).toBe(302);
  const next = page.getByRole("region", { name: "NEXT GAMES" });
  await expect(next.locator(`a[href="/events/${booked.gameId}"]`)).toBeVisible();
  await expect(places.locator(`a[href="/events/${booked.gameId}"]`)).toHaveCount(0);
});

test("credits of a late cancellation come back while its player looks on, once another joins", async ({
  page,
  browser,
  signIn,
  stage,
  database,
  baseURL,
  dataDir,
}) => {
  const { gameId, holder } = await stage.fullGame();
  const newcomer = await stage.player();
  const context = await browser.newContext({ baseURL: baseURL!, serviceWorkers: "block" });
  await signInAs(context, { url: baseURL!, dataDir, db: database.db }, newcomer.who);
  const game = await context.newPage();
  await openWithStream(game, `/events/${gameId}`);
  await expect(game.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
  await signIn(holder.who);
  await openWithStream(page, "/bookings");
  let documents = 0;
  for (const one of [page, game]) {
    one.on("request", (request) => (documents += request.resourceType() === "document" ? 1 : 0));
  }

  await page.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("button", { name: "Cancel booking" }).click();
  const open = page.getByRole("region", { name: "Your spot is open" });
  await expect(open).toContainText("9.01 credits come back if somebody takes it");
  const balance = page.getByRole("main").locator("p", { hasText: "credits" }).first();
  await expect(balance).toHaveText("10 credits");
  await game.getByRole("button", { name: "Join game" }).click();
  await expect(game.getByText("You're attending this game!")).toBeVisible();
  await expect(open).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Earlier" })).toContainText("Refunded");
  await expect(balance).toHaveText("19 credits");
  expect(documents).toBe(0);
  await context.close();
});

test.describe("the page of a full game reads out", () => {
  test("nothing when a spot opens that belongs to who waits", async ({
    page,
    signIn,
    stage,
    database,
  }) => {
    const { gameId } = await stage.fullGame();
    await stage.wait(await stage.player(), gameId, "auto");
    await signIn((await stage.player()).who);
    await openWithStream(page, `/events/${gameId}`);
    const { heard } = await listen(page);
    const reread = page.waitForResponse((response) => response.url().includes(`${gameId}.data`));
    await sql`update games set max_players = 2 where id = ${gameId}`.execute(database.db);
    await reread;
    await expect(page.locator("header").getByText("0 spots left")).toBeVisible();
    expect(await heard()).toEqual([]);
  });

  test("a spot that is free again, once", async ({ page, stage }) => {
    const { gameId, cancel } = await stage.fullGame();
    await openWithStream(page, `/events/${gameId}`);
    const { heard } = await listen(page);
    expect(await cancel()).toBe(302);
    await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
    await expect.poll(heard).toEqual(["1 spots left"]);
  });
});
