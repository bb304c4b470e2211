import { addGame } from "../db/insert.ts";
import { expect, test } from "./fixtures.ts";
import { addPlayer as aPlayer } from "./players.ts";
import { addPlayer } from "#app/features/bookings/add-player.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { openJobs } from "#app/jobs.server.ts";

const HOUR_MS = 3_600_000;

/** A game that is on, with one player, who has not paid. */
async function anUnpaidSeat({ db, pool }: Connection) {
  const [start, end] = [-HOUR_MS, HOUR_MS].map((ms) => wallClock(new Date(Date.now() + ms)));
  const venue = await db.selectFrom("venues").select("id").limit(1).executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Match day", date: start!.date, start_time: start!.time, end_time: end!.time },
    ...{ max_players: 20, venue_id: venue.id, status: "Published" },
  });
  const { userId: playerId } = await aPlayer(db);
  const admins = db.selectFrom("users").select("id").where("email", "=", "admin@uni.example");
  const { id: actorId } = await admins.executeTakeFirstOrThrow();
  const jobs = await openJobs(pool, "of no job with a token");
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: new Date() });
  await jobs.stop();
  if (!added.ok) throw new Error(added.reason);
  const listPayments = () =>
    db.selectFrom("cash_payments").selectAll().where("booking_id", "=", added.bookingId).execute();
  return { gameId, listPayments };
}

test("money waits for an answer: without a connection nothing is noted, said, and kept in the dialog", async ({
  page,
  context,
  signIn,
  database,
}) => {
  const { gameId, listPayments } = await anUnpaidSeat(database);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: /^Mark paid/ }).click();
  const dialog = page.getByRole("dialog", { name: /has paid$/ });
  await dialog.getByLabel("Amount in €").fill("7,50");
  await dialog.getByLabel("MobilePay").check();
  const press = () => dialog.getByRole("button", { name: "Mark paid" }).click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await context.setOffline(true);
  await press();
  await expect(notifications).toContainText("Nothing was sent. Your form is as you left it.");
  await expect(dialog.getByLabel("Amount in €")).toHaveValue("7,50");
  await expect(dialog.getByLabel("MobilePay")).toBeChecked();
  expect(await listPayments()).toEqual([]);

  // Now it arrives, but not the answer: pressed once more it is the same payment.
  await context.setOffline(false);
  const posts = `**/admin/games/${gameId}.data*`;
  await page.route(posts, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  await press();
  await expect(notifications).toContainText("look before you try again");
  expect(await listPayments()).toHaveLength(1);
  await expect(dialog.getByLabel("Amount in €")).toHaveValue("7,50");
  await page.unroute(posts);
  await press();
  await expect(notifications).toContainText("Marked paid");
  await expect(dialog).toBeHidden();
  expect(await listPayments()).toMatchObject([{ amount_eur: "7.50", method: "MobilePay" }]);
});
