import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import type { Browser, Locator } from "@playwright/test";
import { enterPlayer, join, type Player, addPlayer, SILENT } from "./players.ts";
import { addGame } from "../db/insert.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { openJobs } from "#app/jobs.server.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("an organiser plans, moves and cancels a game", async ({
      page,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
      browser,
    }) => {
      await signIn("admin");
      await page.goto("/admin/games");
      await page.getByRole("link", { name: "New game" }).click();
      if (javaScriptEnabled) await expectFollowingFields(page);
      await page.getByLabel("Title").fill("Sunday futsal");
      // An hour of its own: at the same one, the second to publish is asked.
      await page.getByLabel("Start", { exact: true }).fill(javaScriptEnabled ? "05:00" : "06:00");
      await page.getByLabel("End", { exact: true }).fill(javaScriptEnabled ? "06:00" : "07:00");
      await page.getByLabel("Weeks").fill("2");
      const date = await page.getByLabel("Date").inputValue();
      await page.getByLabel("Date").fill("2099-12-27");
      const series = page.getByText("2 games, each Sunday, the last on Jan 3, 2100.");
      await expect(series).toHaveCount(javaScriptEnabled ? 1 : 0);
      await page.getByLabel("Date").fill(date);
      await page.getByRole("button", { name: "Publish" }).click();
      // Without scripts its dates come as a second step.
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Publish" }).click();
      await expect(page.getByRole("heading", { name: "Sunday futsal" })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Series" })).toBeVisible();

      const gameId = page.url().split("/").at(-1)!;
      const moved = javaScriptEnabled ? "05:15" : "06:15";
      const name = `moved-${javaScriptEnabled}`;
      const place = { url, dataDir, stop: async () => {} };
      const player = await enterPlayer(place, database, { name, credits: 10 });
      expect(await join(url, player, gameId)).toBe(302);

      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.getByLabel("Start", { exact: true }).fill(moved);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save and notify 1 player" }).click();
      await expect(page.getByText(`${moved}–`).first()).toBeVisible();

      await cancelGame(page);
      await expect(page.getByText("1 player was refunded in full, 10 credits")).toBeVisible();
      await expectRefund(browser, url, player);
      await expectMail(page, `${name}@uni.example`);
    });
  });
}

async function cancelGame(page: Page) {
  await page.getByRole("button", { name: "Cancel game" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this game?" });
  await dialog.getByRole("button").last().click();
}

async function expectRefund(browser: Browser, baseURL: string, { cookie }: Player) {
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: { Cookie: cookie } });
  const page = await context.newPage();
  await page.goto("/wallet");
  const [refund, payment] = [/^Refund/, /^Game Payment/].map((name) =>
    page.getByRole("row", { name }).first(),
  );
  await expect(refund!).toContainText("+10");
  await expect(payment!).toContainText("−10");
  await context.close();
}

/** The email is sent a moment after the response. */
async function expectMail(page: Page, address: string) {
  const mails = page.getByRole("article").filter({ hasText: `To ${address}` });
  await expect(async () => {
    await page.goto("/demo/outbox");
    const cancelled = mails.filter({ hasText: "The game was cancelled" });
    await expect(cancelled).toHaveCount(1, { timeout: 200 });
  }).toPass();
}

const HOUR_MS = 3_600_000;

/** A game that began an hour ago, and a player who has joined it in time. */
async function aGameUnderWay({ db, pool }: { db: Db; pool: Parameters<typeof openJobs>[0] }) {
  const start = new Date(Date.now() - HOUR_MS);
  const { date, time: start_time } = wallClock(start);
  const end_time = wallClock(new Date(start.getTime() + 50 * 60_000)).time;
  const venue = await db.selectFrom("venues").select("id").limit(1).executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Roster futsal", date, start_time, end_time, max_players: 4 },
    ...{ venue_id: venue.id, status: "Published" },
  });
  const { userId } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: userId, amountCents: 1_000 };
  await correctBalance(db, SILENT, { ...grant, userId });
  const jobs = await openJobs(pool, "of no job with a token");
  const now = new Date(start.getTime() - HOUR_MS);
  const joined = await joinGame(db, jobs, { gameId, playerId: userId, now });
  await jobs.stop();
  expect(joined.ok).toBe(true);
  return gameId;
}

test("a tap without a connection waits for it, a double tap is one", async ({
  page,
  signIn,
  database,
}) => {
  const gameId = await aGameUnderWay(database);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const row = page.getByRole("listitem", { name: "Kirsi Example" });
  await expect(row.getByRole("button", { name: "Check in" })).toBeVisible();
  await page.context().setOffline(true);
  await tapUndoAtOnce(row);
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Waiting for a connection")).toBeVisible();
  const taps: string[] = [];
  page.on("request", (request) => request.url().endsWith("/tap") && taps.push(request.url()));
  await page.context().setOffline(false);
  await expect(row.getByText("Saved")).toBeVisible();
  await expect(row.getByText("Checked in")).toBeVisible();
  expect(taps).toHaveLength(1);
  await page.reload();
  await expect(row.getByText("Checked in")).toBeVisible();
});

/** The second tap of a hurried finger falls on what has taken the button's place. */
function tapUndoAtOnce(row: Locator): Promise<void> {
  return row.evaluate((node) => {
    const observer = new MutationObserver(() => {
      const undo = node.querySelector<HTMLButtonElement>("button[name=to][value='']");
      if (undo) observer.disconnect();
      undo?.click();
    });
    observer.observe(node, { childList: true, subtree: true, attributes: true });
  });
}

/** Another venue offers its last game; the end keeps the game's length until it is chosen itself. */
async function expectFollowingFields(page: Page) {
  await expect(page.getByRole("heading", { name: "New game" })).toBeVisible();
  const venue = page.getByLabel("Venue");
  const chosen = await venue.locator("option:checked").innerText();
  const links = page.locator("details a", { hasText: "Like last time at" });
  const played = (await links.allTextContents()).map((text) => text.replace(/.* time at /, ""));
  const other = played.find((name) => name !== chosen)!;
  await venue.selectOption({ label: other });
  await page.getByRole("link", { name: `Fill in like last time at ${other}` }).click();
  await expect(page.getByText(`Filled in like ${other.split(",")[0]}`)).toBeVisible();
  await expect(venue.locator("option:checked")).toHaveText(other);
  const [start, end] = ["Start", "End"].map((name) => page.getByLabel(name, { exact: true }));
  await start!.fill("20:00");
  const before = await end!.inputValue();
  await start!.fill("20:30");
  await expect(end!).not.toHaveValue(before);
  await end!.fill("22:15");
  await start!.fill("21:00");
  await expect(end!).toHaveValue("22:15");
}
