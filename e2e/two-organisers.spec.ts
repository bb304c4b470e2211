import { addGame } from "../db/insert.ts";
import { expect, type Page, test as base } from "./fixtures.ts";
import { addPlayer } from "./players.ts";
import { signInAs } from "./site.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";

const HOUR_MS = 3_600_000;

/** A game in half an hour, with two who are in. */
async function aMatch(db: Db): Promise<string> {
  const clock = (hours: number) => wallClock(new Date(Date.now() + hours * HOUR_MS));
  const { date, time: start_time } = clock(0.5);
  const venue = await db.selectFrom("venues").select("id").limit(1).executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Two organisers", date, start_time, end_time: clock(1.5).time, max_players: 9 },
    ...{ venue_id: venue.id, status: "Published" },
  });
  for (const first_name of ["Aino", "Bertta"]) {
    const { userId: user_id } = await addPlayer(db);
    await db.updateTable("profiles").set({ first_name }).where("user_id", "=", user_id).execute();
    const booking = { user_id, game_id: gameId, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
  }
  return gameId;
}

const rowOf = (page: Page, name: string) => page.getByRole("listitem", { name: `${name} Example` });

const test = base.extend<{ two: { gameId: string; one: Page; other: Page } }>({
  two: async ({ browser, baseURL: url = "", dataDir, database, signIn, page: one }, use) => {
    const gameId = await aMatch(database.db);
    await signIn("admin");
    const context = await browser.newContext({ baseURL: url, serviceWorkers: "block" });
    await signInAs(context, { url, dataDir, db: database.db }, "admin");
    await use({ gameId, one, other: await context.newPage() });
    await context.close();
  },
});

test("what one organiser marks is on the other's roster without a reload, both ways", async ({
  two: { gameId, one, other },
}) => {
  const documents: string[] = [];
  for (const page of [one, other]) {
    page.on("request", (request) => {
      if (request.resourceType() === "document") documents.push(request.url());
    });
    const stream = page.waitForRequest((request) => request.resourceType() === "eventsource");
    await page.goto(`/admin/games/${gameId}`);
    await stream;
  }
  await rowOf(one, "Aino").getByRole("button", { name: "Check in" }).click();
  await expect(rowOf(one, "Aino").getByText("Saved")).toBeVisible();
  await expect(other.getByText("1/2 checked in")).toBeVisible();
  await expect(rowOf(other, "Aino").getByRole("button", { name: "Undo" })).toBeVisible();
  // On what the first has marked.
  await rowOf(other, "Aino").getByRole("button", { name: "Undo" }).click();
  await rowOf(other, "Bertta").getByRole("button", { name: "Check in" }).click();
  await expect(rowOf(one, "Bertta").getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(rowOf(one, "Aino").getByRole("button", { name: "Check in" })).toBeVisible();
  expect(documents).toHaveLength(2);
});

test("what one marks while the other's page has no stream yet is on it once it has", async ({
  two: { gameId, one, other },
}) => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await other.route("**/live?*", (route) => held.then(() => route.continue()));
  const asked = other.waitForRequest((request) => request.resourceType() === "eventsource");
  await other.goto(`/admin/games/${gameId}`);
  await asked;
  await one.goto(`/admin/games/${gameId}`);
  await rowOf(one, "Aino").getByRole("button", { name: "Check in" }).click();
  await expect(rowOf(one, "Aino").getByText("Saved")).toBeVisible();
  letGo();
  await expect(other.getByText("1/2 checked in")).toBeVisible();
});
