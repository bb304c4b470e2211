import { randomUUID } from "node:crypto";
import type { Browser } from "@playwright/test";
import axe from "axe-core";
import { addGame } from "../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { enterPlayer, join, type Player } from "./players.ts";

const TITLE = "Futsal in teams";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("an organiser makes teams, moves a player, publishes, and records the score by team", async ({
      page,
      browser,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
    }) => {
      const { db } = database;
      const { gameId, addPlayer } = await aGame({ url, dataDir }, database);
      for (let n = 0; n < 5; n += 1) await addPlayer();
      await signIn("admin");
      await page.goto(`/admin/games/${gameId}`);
      await page.getByRole("link", { name: "Teams" }).click();
      await page.getByRole("button", { name: "Make teams" }).click();
      await expect(team(page, "Yellow").getByRole("listitem")).not.toHaveCount(0);
      const version = page.locator("input[name=version]").first();
      const before = await version.inputValue();
      await page.getByRole("button", { name: "Make again" }).click();
      await expect(version).not.toHaveValue(before);
      await expect(page.getByText("Not published")).toBeVisible();

      const row = team(page, "Yellow").getByRole("listitem").first();
      const id = await row.getAttribute("id");
      await row.getByRole("button", { name: "To Blue" }).click();
      const moved = team(page, "Blue").locator(`[id="${id}"]`);
      await expect(moved).toBeVisible();
      if (javaScriptEnabled) {
        await expect(moved).toBeFocused();
        await expectAccessible(page);
      }

      const late = await addPlayer();
      await page.reload();
      await expect(page.getByRole("heading", { name: "Not in a team yet" })).toBeVisible();
      await page.getByRole("button", { name: "Place the player" }).click();
      await expect(page.getByRole("heading", { name: "Not in a team yet" })).toHaveCount(0);
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await expect(page.getByText("Published", { exact: true })).toBeVisible();

      await expectTeams(browser, url, { player: late, gameId, javaScriptEnabled });
      await page.getByRole("link", { name: "Print" }).click();
      await expect(page.getByRole("region", { name: "Yellow" })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);

      await begin(db, gameId);
      await page.goto(`/admin/games/${gameId}`);
      await page.getByLabel("Yellow").fill("1");
      await page.getByLabel("Blue").fill("3");
      await expect(page.getByLabel(/^Won/)).toHaveCount(0);
      await page.getByRole("button", { name: "Save result" }).click();
      await expect(page.getByText("1–3 is recorded.")).toBeVisible();
      const won = db.selectFrom("bookings").select("team").where("has_won", "=", true);
      const winners = await won.where("game_id", "=", gameId).execute();
      expect(new Set(winners.map((winner) => winner.team))).toEqual(new Set([2]));
    });
  });
}

const team = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function expectAccessible(page: Page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document),
  );
  expect(found.violations.map(({ id }) => id)).toEqual([]);
}

interface View {
  player: Player;
  gameId: string;
  javaScriptEnabled: boolean;
}

/** What who plays sees on the game's page. */
async function expectTeams(browser: Browser, baseURL: string, view: View) {
  const { player, gameId, javaScriptEnabled } = view;
  const extraHTTPHeaders = { Cookie: player.cookie };
  const context = await browser.newContext({ baseURL, extraHTTPHeaders, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`/events/${gameId}`);
  await expect(page.getByRole("heading", { name: "Teams" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Yellow" })).toBeVisible();
  await expect(page.getByText(/^You play in (Yellow|Blue)\.$/)).toBeVisible();
  await expect(page.getByText("(you)")).toHaveCount(1);
  if (javaScriptEnabled) await expectAccessible(page);
  await context.close();
}

type Connection = Parameters<typeof enterPlayer>[1];

async function aGame(at: { url: string; dataDir: string }, database: Connection) {
  const { db } = database;
  const { id: venue_id } = await db.selectFrom("venues").select("id").executeTakeFirstOrThrow();
  const plan = { title: TITLE, status: "Published" as const, max_players: 10, venue_id };
  const gameId = await addGame(db, { ...plan, ...timesIn(50) });
  const addPlayer = async () => {
    const name = `team-${randomUUID().slice(0, 8)}`;
    const site = { ...at, stop: async () => {} };
    const player = await enterPlayer(site, database, { name, credits: 20 });
    expect(await join(at.url, player, gameId)).toBe(302);
    return player;
  };
  return { gameId, addPlayer };
}

function timesIn(hours: number) {
  const { date, time } = wallClock(new Date(Date.now() + hours * 3_600_000));
  const hour = time.slice(0, 2);
  return { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
}

/** Two hours ago. */
async function begin(db: Connection["db"], gameId: string) {
  await db.updateTable("games").set(timesIn(-2)).where("id", "=", gameId).execute();
}
