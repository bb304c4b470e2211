import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, NOW } from "#test/fixtures.ts";
import { toastAfter, visit } from "#test/visit.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { AdminGamePage } from "#app/routes/admin/games/game-view.server.ts";
import * as fresh from "./new.tsx";
import * as show from "#app/routes/admin/games/show.tsx";

// A series, from the page of one of its games on.
const database = useDatabase();
let app: App;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

type Values = { values: Record<string, string> };

/** The first game's id. */
async function aSeries(weeks: string, intent: "draft" | "publish"): Promise<string> {
  const at = { path: "/admin/games/new", cookie };
  const { data } = await visit(app, fresh.loader, at);
  const { values } = data as unknown as Values;
  const body = { ...values, venueId: await aVenue(app.db), weeks, intent };
  const { headers } = await visit(app, fresh.action, { ...at, body });
  return headers.get("Location")!.split("/").at(-1)!;
}
async function open(gameId: string): Promise<AdminGamePage> {
  const { data } = await visit(app, show.loader, { path: `/admin/games/${gameId}`, cookie });
  return (data as { game: AdminGamePage }).game;
}
async function press(gameId: string, intent: string) {
  const form = { path: `/admin/games/${gameId}`, cookie, body: { intent } };
  const { status, headers } = await visit(app, show.action, form);
  return { status, toast: await toastAfter(app, headers) };
}
const statusesOf = ({ series }: AdminGamePage) => series.map(({ status }) => status);

test("a drafted series is published at once", async () => {
  const first = await aSeries("3", "draft");
  expect((await open(first)).canPublishFollowing).toBe(true);
  expect((await press(first, "publish-following")).status).toBe(302);
  const game = await open(first);
  expect(statusesOf(game)).toEqual(["Published", "Published", "Published"]);
  expect(game.canPublishFollowing).toBe(false);
});

test("a published series goes back at once, and it says which games could not", async () => {
  const first = await aSeries("4", "publish");
  const { canUnpublishFollowing, series } = await open(first);
  expect(canUnpublishFollowing).toBe(true);
  const second = series[1]!.id;
  await joinGame(app.db, app.jobs, { gameId: second, playerId: await ada(app.db), now: NOW });
  expect((await press(first, "unpublish-following")).toast).toMatchObject({
    title: "3 games back in the drafts",
    description: "1 game stays published, because players are in. Cancel what is not to be played.",
    isLasting: true,
  });
  const game = await open(first);
  expect(statusesOf(game)).toEqual(["Draft", "Published", "Draft", "Draft"]);
  expect(game.canUnpublishFollowing).toBe(false);
  expect((await open(second)).canUnpublishFollowing).toBe(false);
  expect((await press(second, "unpublish-following")).status).toBe(409);
  expect((await press(first, "unpublish")).toast).toMatchObject({ title: "Back in the drafts" });
});

test("it says how many lose their place on the waitlist", async () => {
  const list = waitlistOf(database);
  const { gameId, seats } = await list.fullGame({ startsIn: 48 });
  await list.wait(gameId, await ada(app.db));
  await list.wait(gameId, await ada(app.db));
  const { bookingId, playerId } = seats[0]!;
  await cancelBooking(app.db, app.jobs, { bookingId, playerId, now: NOW });
  const { toast } = await press(gameId, "unpublish");
  expect(toast).toMatchObject({
    description:
      "Only organisers see it. 2 players lose their place on the waitlist and are notified by email.",
    isLasting: true,
  });
});
