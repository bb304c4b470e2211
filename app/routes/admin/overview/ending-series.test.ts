import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { action as createGame } from "#app/routes/admin/games/plan/new.tsx";
import { loadPlanning } from "./recent-venues.server.ts";

const database = useDatabase();
let app: App;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

/** Weekly games that were made together, the last of them so many days from today. */
async function aSeries(name: string, { weeks = 4, last = -2 } = {}) {
  const { db } = app;
  const venue_id = await aVenue(db, { name });
  const [series_id, created_at] = [crypto.randomUUID(), new Date()];
  for (let week = 0; week < weeks; week += 1) {
    const date = addDays(helsinkiDate(NOW), last - 7 * week);
    const game = { date, start_time: "19:00", end_time: "20:30", title: "Futsal" };
    await aGame(db, { ...game, venue_id, series_id, created_at });
  }
  return venue_id;
}

const endingAt = async (venueId: string) =>
  (await loadPlanning(app)).ending.find((series) => series.venueId === venueId);

async function hide(...venueIds: string[]) {
  const venues = app.db.updateTable("venues").set({ is_hidden: true });
  await venues.where("id", "in", venueIds).execute();
}

test("a series that ends is made again as long by one form, once, without its holidays", async () => {
  const venueId = await aSeries("Hall");
  const found = (await endingAt(venueId))!;
  const html = await (await (await openSite(app))("/admin", { cookie })).text();
  expect(html).toContain(`action="/admin/games/new?venue=${venueId}"`);
  expect(html).toContain(found.button);
  const body = { ...found.values, leftOut: found.leftOut.join(), formKey: found.formKey };
  const form = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const post = () =>
    visit(app, createGame, {
      path: "/admin/games/new",
      cookie,
      body: { ...(form as Record<string, string>), intent: "publish" },
    });
  const [once, again] = [await post(), await post()];
  expect([once.status, again.status]).toEqual([302, 302]);
  expect(again.headers.get("Location")).toBe(once.headers.get("Location"));
  const games = app.db.selectFrom("games").select(["date", "status"]).orderBy("date");
  const made = await games.where("venue_id", "=", venueId).where("starts_at", ">", NOW).execute();
  expect(made).toHaveLength(4 - found.leftOut.length);
  expect(made.every(({ status }) => status === "Published")).toBe(true);
  expect(found.button).toBe(`Publish ${made.length} more`);
  expect(await endingAt(venueId)).toBeUndefined();
  await hide(venueId);
});

test("a series that still runs goes on as itself, a week after its last game", async () => {
  const venueId = await aSeries("Cage", { last: 3, weeks: 8 });
  const found = (await endingAt(venueId))!;
  expect(found.values.continues).toMatch(/^[0-9a-f-]{36}$/);
  const first = addDays(helsinkiDate(NOW), 10);
  expect(found.values).toMatchObject({ date: first, weeks: "8" });
  expect(found.values.shownDates!.split(",")).toHaveLength(8);
  // Also after the question, here of games far ahead.
  const site = await openSite(app);
  const [, form = ""] = /action="([^"]*more=[^"]*)"/.exec(
    await (await site("/admin", { cookie })).text(),
  )!;
  const given = Object.entries({ ...found.values, formKey: found.formKey, intent: "publish" });
  const body = new URLSearchParams(
    given.filter(([, value]) => value !== null) as [string, string][],
  );
  const asked = await (await site(form, { cookie, body })).text();
  expect(asked).toContain("Publish anyway");
  expect(asked).toContain(`name="continues" value="${found.values.continues}"`);
  await hide(venueId);
});

test("neither a single game nor a series that goes on for weeks is offered again", async () => {
  const venueId = await aSeries("Single", { weeks: 1 });
  const long = await aSeries("Long", { last: 9 });
  expect([await endingAt(venueId), await endingAt(long)]).toEqual([undefined, undefined]);
  await hide(venueId, long);
});
