import type { Browser } from "@playwright/test";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { addDays, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { closeJoinedDialog } from "./joined.ts";
import { addPlayer, SILENT } from "./players.ts";
import { type RunningSite, signInAs } from "./site.ts";
import { countTaps, type Thumb } from "./tap-counter.ts";
import { type Stage, stageWeek } from "./week-stage.ts";

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
  await closeJoinedDialog(page);
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
  await expect(page.getByText("1/1 checked in · 3 spots left")).toBeVisible();
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

/** For each step, and in all: docs/decisions/041-taps-of-a-week.md. */
const MOST = {
  "make a series of eight weeks": 2,
  "move one game": 3,
  "call off two weeks with a message": 5,
  "match day": 8,
  "find a player and correct a balance": 5,
  "answer a message": 2,
  "read the log": 1,
};
const MOST_TAPS = 26;

test("a week of an organiser takes at most so many taps", async ({
  page,
  signIn,
  baseURL: url = "",
  dataDir,
  database,
}) => {
  const stage = await stageWeek({ url, dataDir }, database);
  await signIn(stage.organiser);
  const thumb = countTaps(page);
  const week: Week = { page, stage, thumb };
  await organise(week).finally(stage.leave);
  process.stdout.write(thumb.report());
  expect(Object.keys(MOST)).toEqual(thumb.counts.map(({ step }) => step));
  for (const { step, taps } of thumb.counts)
    expect(taps, thumb.report()).toBeLessThanOrEqual(MOST[step as keyof typeof MOST]);
  const taps = thumb.counts.reduce((sum, count) => sum + count.taps, 0);
  expect(taps, thumb.report()).toBeLessThanOrEqual(MOST_TAPS);
});

async function organise(week: Week) {
  const { stage, thumb } = week;
  await thumb.step("make a series of eight weeks", () => makeSeries(week));
  const games = await stage.listSeries();
  expect(games).toHaveLength(8);
  await stage.joinGames(games.slice(2, 5));
  await thumb.step("move one game", () => moveThird(week));
  await thumb.step("call off two weeks with a message", () => callOffTwo(week));
  await thumb.step("match day", () => playMatch(week));
  await thumb.step("find a player and correct a balance", () => correct(week));
  await thumb.step("answer a message", () => answer(week));
  await thumb.step("read the log", () => readLog(week));
}

interface Week {
  page: Page;
  stage: Stage;
  thumb: Thumb;
}

const linkOf = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("link", { name, exact: typeof name === "string" });
const buttonOf = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true });
const expectToast = (page: Page, text: string) =>
  expect(page.getByRole("region", { name: "Notifications" })).toContainText(text);
const tabOf = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name });

/** Opens the site like a phone: on the list of games. */
async function enterAdmin({ page, thumb }: Week) {
  await page.goto("/events");
  await thumb.tap(page.getByRole("banner").getByRole("link", { name: "Admin" }));
  await expect(page).toHaveURL("/admin");
}

async function makeSeries(week: Week) {
  const { page, stage, thumb } = week;
  await enterAdmin(week);
  const series = page.getByRole("listitem").filter({ hasText: `${stage.venue}, Tuesday futsal` });
  await thumb.tap(series.getByRole("button", { name: /^Publish 8 more/ }));
  await expectToast(page, "8 games created");
}

const seriesOf = (page: Page) => page.getByRole("region", { name: "Series" }).getByRole("listitem");

async function moveThird({ page, thumb }: Week) {
  await thumb.tap(seriesOf(page).nth(2).getByRole("link", { name: /^Edit/ }));
  const date = page.getByLabel("Date");
  await thumb.type(date, addDays(await date.inputValue(), 1));
  await expect(page.getByRole("alert")).toContainText("This changes the game of 2 players");
  await thumb.tap(page.getByRole("alert").getByRole("button", { name: /^Save and notify 2/ }));
  await expectToast(page, "Game saved");
}

async function callOffTwo({ page, thumb }: Week) {
  await expect(buttonOf(page, "Cancel ticked games")).toBeDisabled();
  for (const n of [3, 4]) await thumb.tap(seriesOf(page).nth(n).getByRole("checkbox"));
  await thumb.tap(buttonOf(page, "Cancel ticked games"));
  await thumb.type(page.getByLabel("Message to the players"), "The hall is closed for two weeks.");
  await thumb.tap(buttonOf(page, "Cancel 2 games for good"));
  await expectToast(page, "2 games cancelled");
}

async function playMatch({ page, stage, thumb }: Week) {
  await page.goto("/events");
  await thumb.tap(page.getByRole("main").locator(`a[href="/admin/games/${stage.matchId}"]`));
  const absent = page.getByRole("listitem", { name: stage.crew.at(-1)! });
  await thumb.tap(absent.getByRole("button", { name: "No-show" }));
  await expect(absent.getByText("Saved")).toBeVisible();
  await thumb.type(page.getByLabel("Email or name"), stage.walkIn);
  await thumb.tap(buttonOf(page, "Add as paid by hand"));
  await expectToast(page, "Player added");
  await thumb.tap(buttonOf(page, "Make and publish two teams"));
  await expectToast(page, "Teams published");
  await thumb.type(page.getByLabel("Yellow"), "5");
  await thumb.type(page.getByLabel("Blue"), "3");
  await thumb.tap(buttonOf(page, "Save, and check in the other 10"));
  await expect(page.getByText("5–3 is recorded.")).toBeVisible();
  await expect(page.getByText("11/12 checked in · 2 spots left · 1 no-show")).toBeVisible();
}

async function correct(week: Week) {
  const { page, stage, thumb } = week;
  await enterAdmin(week);
  await thumb.type(page.getByLabel("Name or email"), stage.payer);
  await thumb.enter();
  await thumb.type(page.getByLabel("Credits *"), "10");
  await thumb.type(page.locator("#balance-reason"), "Paid twice");
  await thumb.tap(buttonOf(page, "Correct the balance"));
  await expectToast(page, "Balance corrected");
}

async function answer({ page, stage, thumb }: Week) {
  await expect(linkOf(page, new RegExp(stage.subject))).toBeVisible();
  await thumb.type(page.getByLabel("Answer"), "They are in the hall.");
  await thumb.tap(buttonOf(page, "Send answer"));
  await expectToast(page, "Answer sent");
}

async function readLog({ page, thumb }: Week) {
  await thumb.tap(tabOf(page, "Log"));
  const own = page.getByRole("main").getByRole("listitem").filter({ hasText: "Olga" });
  await expect(own.first()).toContainText("answered");
  const { y, height } = (await own.last().boundingBox())!;
  thumb.read((y + height) / 844);
}
