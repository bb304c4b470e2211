import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addGame } from "../db/insert.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { addPlayer } from "./players.ts";

const restored = (page: Page) => page.getByText(/^Draft from \d\d:\d\d restored\./);
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept draft ")));

/** A game in so many days, or before today, with so many players. */
async function aGame(db: Db, { inDays, players }: { inDays: number; players: number }) {
  const { id: venue_id } = await db.selectFrom("venues").select("id").executeTakeFirstOrThrow();
  const { date } = wallClock(new Date(Date.now() + inDays * 86_400_000));
  const times = { date, start_time: "12:00", end_time: "13:00" };
  const plan = { title: "A draft of it", status: "Published" as const, max_players: 4, venue_id };
  const game_id = await addGame(db, { ...plan, ...times });
  for (let n = 0; n < players; n += 1) {
    const { userId: user_id } = await addPlayer(db);
    const booking = { user_id, game_id, payment_status: "Paid" as const };
    await db.insertInto("bookings").values(booking).execute();
  }
  return game_id;
}

test("a draft of a result meets the teams that were made since", async ({
  page,
  signIn,
  database: { db },
}) => {
  await signIn("admin");
  const game_id = await aGame(db, { inDays: -1, players: 4 });
  await page.goto(`/admin/games/${game_id}`);
  await page.getByLabel("Team A").fill("5");
  await page.getByLabel("Team B").fill("3");
  await expect.poll(() => drafts(page)).toHaveLength(1);
  await db.insertInto("game_lineups").values({ game_id, seed: 1 }).execute();
  const teams = [
    { game_id, number: 1, bib: "Yellow" as const },
    { game_id, number: 2, bib: "Blue" as const },
  ];
  await db.insertInto("game_teams").values(teams).execute();
  const save = page.getByRole("button", { name: "Save result" });
  const results = db.selectFrom("game_results").selectAll().where("game_id", "=", game_id);

  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByText("Somebody else has saved a change since")).toBeVisible();
  await expect(page.getByLabel("Yellow")).toHaveValue("5");
  await save.click();
  await expect(page.getByText("Not saved: the teams have changed.")).toBeVisible();
  expect(await results.execute()).toEqual([]);
  // It has been said: what is saved now is meant for the teams that the form shows.
  await save.click();
  await expect(page.getByText("5–3 is recorded.")).toBeVisible();
  await expect.poll(() => drafts(page)).toEqual([]);
});

test("a search is not asked about, nor a form in a dialog that was closed, which is kept", async ({
  page,
  signIn,
  database: { db },
}) => {
  await signIn("admin");
  const game_id = await aGame(db, { inDays: 5, players: 1 });
  await page.goto(`/admin/games/${game_id}`);
  await page.getByLabel("Email or name").fill("Ada");
  const subject = page.getByRole("dialog", { name: "Message all" }).getByLabel("Subject");
  const write = page.getByRole("button", { name: "Message all" });
  await write.click();
  await subject.fill("Gate 2");
  const leave = () => page.getByRole("link", { name: "Venues" }).first().click();
  await page.keyboard.press("Escape");
  await expect(subject).toBeHidden();
  await leave();
  await expect(page).toHaveURL("/admin/venues");
  await page.goBack();
  await expect(page.getByLabel("Email or name")).toHaveValue("");
  await write.click();
  await expect(restored(page)).toBeVisible();
  await expect(subject).toHaveValue("Gate 2");
  await page.keyboard.press("Escape");
});
