import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, balanceCents, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import * as cancelPage from "./cancel.tsx";
import type { CancelView } from "./cancel-view.server.ts";

const database = useDatabase();
let app: App;
let [actorId, cookie] = ["", ""];
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie, id: actorId } = await anAdmin(app));
});

async function join(gameId: string) {
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return playerId;
}
async function open(path: string) {
  const { data } = await visit(app, cancelPage.loader, { path, cookie });
  return data as unknown as { view: CancelView; formKey: string };
}
async function post(path: string, body: Record<string, string>) {
  const { status, data } = await visit(app, cancelPage.action, { path, cookie, body });
  return { status, data: data as unknown as FormResult };
}

test("a series is asked about again where somebody has joined since it was shown", async () => {
  const plan = aPlan(await aVenue(app.db));
  const wish = { plan, weeks: 4, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(app.db, wish);
  const [, second = "", third = ""] = made.ok ? made.gameIds : [];
  await join(second);
  const path = `/admin/games/${second}/cancel?scope=following`;
  const { view, formKey } = await open(path);
  const late = await join(third);
  const form = { intent: "cancel", formKey, message: "The hall is flooded." };
  for (const games of [view.shown, view.ids]) {
    const { status, data } = await post(path, { ...form, games });
    expect([status, data]).toMatchObject([
      409,
      {
        title: "Please check again",
        formError: expect.stringMatching(/^Nothing was cancelled: players have joined/),
        values: { message: form.message },
      },
    ]);
  }
  const now = await open(path);
  expect(now.view.effect).toMatch(/^3 games, 2 players\. 20 credits come back\./);
  const done = await post(path, { ...form, games: now.view.shown });
  expect(done.status).toBe(302);
  expect(await balanceCents(app.db, late)).toBe(10_000);
});

test("of a game that is cancelled itself only those that follow are offered", async () => {
  const plan = aPlan(await aVenue(app.db));
  const wish = { plan, weeks: 3, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(app.db, wish);
  const [first = "", second = ""] = made.ok ? made.gameIds : [];
  const site = await openSite(app);
  const read = async (path: string) =>
    textOf(await (await site(`/admin/games/${path}`, { cookie })).text());
  expect(await read(first)).toContain("|Cancel this and following games|");
  expect(await read(`${second}/cancel?scope=following`)).toContain("|This and following games|");
  const one = `/admin/games/${second}/cancel`;
  await post(one, { intent: "cancel", games: (await open(one)).view.shown });
  expect(await read(second)).toContain("|Cancel following games|");
  expect(await read(second)).not.toContain("|Cancel this and following games|");
  const following = await read(`${second}/cancel?scope=following`);
  expect(following).toContain("1 game, nobody in.");
  expect(following).not.toContain("This and following games");
});
