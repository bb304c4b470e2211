import { addGame } from "../app/features/games/add-game.server.ts";
import { joinGame } from "../app/features/bookings/join-game.server.ts";
import { grantCredits } from "../app/features/wallet/grant-credits.server.ts";
import { helsinkiWallClock } from "../app/platform/clock.ts";
import type { Db } from "../app/platform/db.server.ts";
import { openJobs } from "../app/platform/jobs.server.ts";
import { expect, test } from "./journey.ts";
import { addPlayer } from "./new-player.ts";

const HOUR_MS = 3_600_000;

/** A game that began an hour ago, and a player who has joined it in time. */
async function aGameUnderWay({ db, pool }: { db: Db; pool: Parameters<typeof openJobs>[0] }) {
  const start = new Date(Date.now() - HOUR_MS);
  const [date = "", start_time = ""] = helsinkiWallClock(start).split(" ");
  const end_time = helsinkiWallClock(new Date(start.getTime() + 50 * 60_000)).slice(11);
  const venue = await db.selectFrom("venues").select("id").limit(1).executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Sheet futsal", date, start_time, end_time, max_players: 4 },
    ...{ venue_id: venue.id, status: "Published" },
  });
  const { who, userId } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: userId, amountCents: 1_000 };
  await grantCredits(db, { ...grant, userId });
  const jobs = await openJobs(pool);
  const now = new Date(start.getTime() - HOUR_MS);
  const joined = await joinGame(db, jobs, { gameId, playerId: userId, now });
  await jobs.stop();
  expect(joined.ok).toBe(true);
  return { gameId, who };
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("from the check-in to the player's card", async ({ page, signIn, database }) => {
      const { gameId, who } = await aGameUnderWay(database);
      await signIn("admin");
      await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
      const row = page.getByRole("listitem", { name: "Kirsi Example" });
      await row.getByRole("button", { name: "Check in" }).click();
      await expect(row.getByText("Checked in")).toBeVisible();
      await expect(row.getByRole("button", { name: "Undo" })).toBeVisible();
      await page.getByLabel("Team A").fill("3");
      await page.getByLabel("Team B").fill("1");
      await page.getByLabel("Goals of Kirsi Example").fill("2");
      await page.getByLabel("Won : Kirsi Example").check();
      await page.getByRole("button", { name: "Save result" }).click();
      await expect(page.getByText("3–1 is recorded. You can change it.")).toBeVisible();
      await page.context().clearCookies();
      await signIn(who);
      await page.goto("/profile/player-card");
      const card = page.getByRole("article", { name: "Player card" });
      await expect(card.getByRole("definition")).toHaveText(["1", "1", "2"]);
    });
  });
}

test("without a connection a tap says that it is not saved, and the sheet stays", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId } = await aGameUnderWay(database);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const row = page.getByRole("listitem", { name: "Kirsi Example" });
  await expect(row.getByRole("button", { name: "Check in" })).toBeVisible();
  await page.context().setOffline(true);
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Not saved. Try again")).toBeVisible();
  await page.context().setOffline(false);
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Checked in")).toBeVisible();
  await expect(row.getByText("Not saved. Try again")).toBeHidden();
  await page.reload();
  await expect(row.getByText("Checked in")).toBeVisible();
});
