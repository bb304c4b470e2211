import type { Locator } from "@playwright/test";
import { addGame } from "../db/insert.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { expect, test } from "./fixtures.ts";
import { addPlayer } from "./new-player.ts";

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
  await correctBalance(db, { ...grant, userId });
  const jobs = await openJobs(pool, "of no job with a token");
  const now = new Date(start.getTime() - HOUR_MS);
  const joined = await joinGame(db, jobs, { gameId, playerId: userId, now });
  await jobs.stop();
  expect(joined.ok).toBe(true);
  return gameId;
}

test("a tap without a connection says that it is not saved, a double tap is one", async ({
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
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Not saved. Try again")).toBeVisible();
  await page.context().setOffline(false);
  const taps: string[] = [];
  page.on("request", (request) => request.url().endsWith("/tap") && taps.push(request.url()));
  await tapUndoAtOnce(row);
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Checked in")).toBeVisible();
  await expect(row.getByText("Not saved. Try again")).toBeHidden();
  expect(taps).toHaveLength(1);
  await page.reload();
  await expect(row.getByText("Checked in")).toBeVisible();
});

/** The second tap of a hurried finger falls on what has taken the button's place. */
function tapUndoAtOnce(row: Locator): Promise<void> {
  return row.evaluate((node) => {
    const tap = () => node.querySelector<HTMLButtonElement>("button[name=to][value='']")?.click();
    new MutationObserver(tap).observe(node, { childList: true, subtree: true, attributes: true });
  });
}
