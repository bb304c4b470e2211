import type { Browser } from "@playwright/test";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer, SILENT } from "./players.ts";
import { type RunningSite, signInAs } from "./site.ts";

const HOUR_MS = 3_600_000;

for (const javaScriptEnabled of WITH_SCRIPTS) {
  // No other game of the site begins then, so that the player finds this one among all.
  const start = javaScriptEnabled ? "05:11" : "05:13";
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("from the form of a new game to the player's card", async ({
      page,
      signIn,
      browser,
      baseURL: url = "",
      dataDir,
      database: { db },
    }) => {
      const player = await enterPlayer(browser, { url, dataDir, db });
      await signIn("admin");
      const gameId = await publishGame(page, start);
      await joinFromList(player, start);
      await expect(player).toHaveURL(`/events/${gameId}`);
      await beginAnHourAgo(db, gameId);
      await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
      await checkIn(page);
      await recordResult(page);
      await expectResults(player);
      await player.context().close();
    });
  });
}

/** A player with the credits for one game, in a browser of their own. */
async function enterPlayer(browser: Browser, place: RunningSite): Promise<Page> {
  const { db, url: baseURL } = place;
  const { who, userId } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: userId, amountCents: 1_000 };
  await correctBalance(db, SILENT, { ...grant, userId });
  const context = await browser.newContext({ baseURL });
  await signInAs(context, place, who);
  return context.newPage();
}

async function publishGame(page: Page, start: string): Promise<string> {
  await page.goto("/admin");
  const tabs = page.getByRole("navigation", { name: "Admin" });
  await tabs.getByRole("link", { name: "Games" }).click();
  await page.getByRole("link", { name: "New game" }).click();
  await page.getByLabel("Start", { exact: true }).fill(start);
  await page.getByLabel("End", { exact: true }).fill("06:00");
  await page.getByLabel("Max players").fill("4");
  await page.getByLabel("Title").fill("Morning futsal");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { name: "Morning futsal" })).toBeVisible();
  await expect(page.getByText("Players can join now.")).toBeVisible();
  return page.url().split("/").at(-1)!;
}

async function joinFromList(page: Page, start: string) {
  await page.goto("/events");
  await page.getByRole("link", { name: new RegExp(`${start} – 06:00.*4 spots left`) }).click();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page.getByText("You're attending this game!")).toBeVisible();
}

/** It has ended ten minutes ago. */
async function beginAnHourAgo(db: Db, gameId: string) {
  const start = new Date(Date.now() - HOUR_MS);
  const { date, time: start_time } = wallClock(start);
  const end_time = wallClock(new Date(start.getTime() + 50 * 60_000)).time;
  const played = { date, start_time, end_time };
  await db.updateTable("games").set(played).where("id", "=", gameId).execute();
}

async function checkIn(page: Page) {
  const row = page.getByRole("listitem", { name: "Kirsi Example" });
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Checked in")).toBeVisible();
  await expect(row.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(page.getByText("1 in · 3 spots left · 1 checked in")).toBeVisible();
}

async function recordResult(page: Page) {
  await page.getByLabel("Team A").fill("3");
  await page.getByLabel("Team B").fill("1");
  await page.getByLabel("Goals of Kirsi Example").fill("2");
  await page.getByLabel("Won : Kirsi Example").check();
  await page.getByRole("button", { name: "Save result" }).click();
  await expect(page.getByText("3–1 is recorded. You can change it.")).toBeVisible();
}

async function expectResults(page: Page) {
  await page.goto("/profile");
  const stats = page.getByRole("region", { name: "My stats" });
  await expect(stats.getByRole("definition").first()).toHaveText("1");
  await page.getByRole("link", { name: "MY PLAYER CARD" }).click();
  const card = page.getByRole("article", { name: "Player card" });
  await expect(card.getByRole("definition")).toHaveText(["1", "1", "2"]);
}
