import type { Browser, BrowserContext } from "@playwright/test";
import { addGame } from "../db/insert.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { openWithStream } from "./live-pages.ts";
import { enterPlayer, join } from "./players.ts";
import { signInAs } from "./site.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Connection } from "#app/platform/connect.server.ts";

const site = (url: string, dataDir: string, { db }: Connection) => ({ url, dataDir, db });

/** At an hour of its own: an organiser is asked about a second game at the same venue then. */
async function aGame({ db }: Connection, hour: string): Promise<string> {
  const venue = db.selectFrom("venues").select("id").orderBy("name").limit(1);
  const { id: venue_id } = await venue.executeTakeFirstOrThrow();
  // Not so far ahead that the organiser is asked about that.
  const { date } = wallClock(new Date(Date.now() + 20 * 86_400_000));
  const times = { date, start_time: `${hour}:00`, end_time: `${hour}:50` };
  const plan = { title: "As shown", status: "Published" as const, max_players: 8, venue_id };
  return addGame(db, { ...plan, ...times });
}

/** In a browser of their own, by the form. */
async function moveGame(
  browser: Browser,
  at: ReturnType<typeof site>,
  gameId: string,
  { to, isJoined = false }: { to: string; isJoined?: boolean },
) {
  const context = await browser.newContext({ baseURL: at.url, serviceWorkers: "block" });
  await signInAs(context, at, "admin");
  const page = await context.newPage();
  await page.goto(`/admin/games/${gameId}/edit`);
  const end = page.getByLabel("End", { exact: true });
  const until = await end.inputValue();
  await page.getByLabel("Start", { exact: true }).fill(to);
  // By script the end has moved along.
  await end.fill(until);
  await page.getByRole("button", { name: "Save changes" }).click();
  // The organiser of a game with players is asked first.
  if (isJoined) await page.getByRole("button", { name: /^Save and notify/ }).click();
  await page.waitForURL(`**/admin/games/${gameId}`);
  await context.close();
}

/** Acts like a tab that slept, or a proxy that lets no stream through. */
const blockStreams = (context: BrowserContext) =>
  context.route("**/live?*", (route) => route.abort());

const facts = (page: Page) => page.getByRole("main").getByRole("listitem");

test("a game that the organiser moves is moved on open pages, and joined at the hour they show", async ({
  page,
  browser,
  signIn,
  baseURL: url = "",
  dataDir,
  database,
}) => {
  const gameId = await aGame(database, "05");
  const who = `sees-${gameId.slice(0, 8)}`;
  await enterPlayer({ url, dataDir }, database, { name: who, credits: 10 });
  await signIn(who);
  await openWithStream(page, `/events/${gameId}`);
  await expect(facts(page).filter({ hasText: "05:00 – 05:50" })).toBeVisible();
  await moveGame(browser, site(url, dataDir, database), gameId, { to: "05:10" });
  await expect(facts(page).filter({ hasText: "05:10 – 05:50" })).toBeVisible();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page.getByText("You're attending this game!")).toBeVisible();
});

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "without streams" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });
    const [hour, later] = javaScriptEnabled ? ["04", "04:10"] : ["03", "03:10"];

    test("a game that has moved is not joined from an old page, which asks again", async ({
      page,
      context,
      browser,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
    }) => {
      await blockStreams(context);
      const gameId = await aGame(database, hour);
      const who = `asked-${gameId.slice(0, 8)}`;
      await enterPlayer({ url, dataDir }, database, { name: who, credits: 10 });
      await signIn(who);
      await page.goto(`/events/${gameId}`);
      await moveGame(browser, site(url, dataDir, database), gameId, { to: later });
      await page.getByRole("button", { name: "Join game" }).click();
      const moved = page.getByText(`, ${later} – ${hour}:50 at`);
      await expect(moved.first()).toBeVisible();
      await expect(facts(page).filter({ hasText: `${later} – ${hour}:50` })).toBeVisible();
      await expect(page.getByText("You're attending this game!")).toBeHidden();
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(page.getByText("You're attending this game!")).toBeVisible();
    });

    test("a booking of a game that has moved is not cancelled from an old page", async ({
      page,
      context,
      browser,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
    }) => {
      await blockStreams(context);
      const gameId = await aGame(database, javaScriptEnabled ? "02" : "01");
      const who = `stays-${gameId.slice(0, 8)}`;
      const player = await enterPlayer({ url, dataDir }, database, { name: who, credits: 10 });
      expect(await join(url, player, gameId)).toBe(302);
      await signIn(who);
      await page.goto("/bookings");
      const to = javaScriptEnabled ? "02:10" : "01:10";
      await moveGame(browser, site(url, dataDir, database), gameId, { to, isJoined: true });
      await page
        .getByRole("button", { name: /^Cancel/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Cancel booking" }).click();
      // Once: in a toast where there are scripts, else in the page.
      await expect(page.getByText("Nothing was cancelled")).toBeVisible();
      await expect(page.getByText("You'll get 10 credits back.").first()).toBeVisible();
      await expect(page.getByText(`${to} – `).first()).toBeVisible();
    });
  });
}
