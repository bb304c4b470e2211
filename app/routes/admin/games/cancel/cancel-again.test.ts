import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, balanceCents, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import * as cancelPage from "./cancel.tsx";
import type { CancelView } from "./view.server.ts";
import * as gamePage from "#app/routes/admin/games/show.tsx";

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

test("of a series the games that have changed since it was shown are skipped and named", async () => {
  const plan = aPlan(await aVenue(app.db));
  const wish = { plan, weeks: 4, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(app.db, wish);
  const [, second = "", third = ""] = made.ok ? made.gameIds : [];
  await join(second);
  const path = `/admin/games/${second}/cancel?scope=following`;
  const { view, formKey } = await open(path);
  const late = await join(third);
  const form = { intent: "cancel", formKey, message: "The hall is flooded." };
  const unseen = await post(path, { ...form, games: view.ids });
  expect([unseen.status, unseen.data]).toMatchObject([
    409,
    {
      title: "Please check again",
      formError: expect.stringMatching(/^Nothing was cancelled: players have joined/),
      values: { message: form.message },
    },
  ]);
  const done = await visit(app, cancelPage.action, {
    ...{ path, cookie, body: { ...form, games: view.shown } },
  });
  const at = `/admin/games/cancellations/${formKey}`;
  expect([done.status, done.headers.get("Location")]).toEqual([302, at]);
  const site = await openSite(app);
  const text = textOf(await (await site(at, { cookie })).text());
  expect(text).toContain("|2 of 3 games cancelled|");
  expect(text).toMatch(/\|1 was not: see below\..*\|All refunds are done\./);
  expect(text).toContain(
    "|All refunds are done.|1 booking has ended, with an email. 10 credits came back.|",
  );
  expect(text).toMatch(
    /\|Not cancelled\|.*\|Wed, Dec 16, 2026,.*\|1 player is in it now; one joined on Sat, Nov 21, 12:00\. Changed since it was shown\./,
  );
  expect(text).toContain("|Look at it again|");
  expect(await balanceCents(app.db, late)).toBe(9_000);
  const left = await open(path.replace(second, third));
  expect(left.view.effect).toMatch(/^1 game, 1 player\. 10 credits come back\./);
  const again = { ...form, formKey: left.formKey, games: left.view.shown };
  expect((await post(path, again)).status).toBe(302);
  expect(await balanceCents(app.db, late)).toBe(10_000);
});

describe("a game on its own page", () => {
  async function openGame(gameId: string) {
    const html = await (await (await openSite(app))(`/admin/games/${gameId}`, { cookie })).text();
    const dialog = html.slice(html.indexOf('<dialog id="cancel-game"'));
    const [, shown = ""] = dialog.match(/name="shown" value="([^"]*)"/)!;
    return { shown, text: textOf(dialog) };
  }
  async function cancel(gameId: string, body: Record<string, string>) {
    const form = { intent: "cancel", message: "The hall is flooded.", ...body };
    const { status, data } = await visit(app, gamePage.action, {
      ...{ path: `/admin/games/${gameId}`, cookie, body: form },
    });
    return { status, data: data as unknown as FormResult };
  }

  test("is asked about again where somebody has joined since it was shown", async () => {
    const gameId = await aGame(app.db);
    await join(gameId);
    const { shown, text } = await openGame(gameId);
    expect(text).toContain(
      "The one player gets an email. 10 credits come back, whatever the hour.",
    );
    const late = await join(gameId);
    const { status, data } = await cancel(gameId, { shown });
    expect([status, data]).toMatchObject([
      409,
      {
        title: "Please check again",
        formError: expect.stringMatching(/^Nothing was cancelled: players have joined/),
        values: { message: "The hall is flooded." },
      },
    ]);
    const now = await openGame(gameId);
    expect(now.text).toContain("All 2 players get an email. 20 credits come back, whatever the");
    const formKey = crypto.randomUUID();
    for (const _ of "sent twice") {
      expect(await cancel(gameId, { shown: now.shown, formKey })).toMatchObject({ status: 302 });
    }
    expect(await balanceCents(app.db, late)).toBe(10_000);
  });

  test("says what comes back: credits, free sessions, also of who left late, or nothing", async () => {
    const textFor = async (gameId: string) => (await openGame(gameId)).text;
    const gameId = await aGame(app.db, { startsIn: 5, is_first_session_free: true });
    expect(await textFor(gameId)).toContain("|Nobody is in it.");
    const playerId = await ada(app.db);
    await addPlayer(app.db, app.jobs, { gameId, playerId, actorId, now: NOW });
    expect(await textFor(gameId)).toContain("The one player gets an email. No credits come back.");
    await join(gameId);
    expect(await textFor(gameId)).toContain(
      "All 2 players get an email. 1 free session comes back, whatever the hour.",
    );
    const late = { gameId: await aGame(app.db, { startsIn: 5 }), playerId: await ada(app.db) };
    const joined = await joinGame(app.db, app.jobs, { ...late, now: NOW });
    const bookingId = joined.ok ? joined.bookingId : "";
    await cancelBooking(app.db, app.jobs, { ...late, bookingId, now: NOW });
    expect(await textFor(late.gameId)).toContain("|Nobody is in it. 10 credits come back,");
  });

  test("is asked about again where it was paid in cash since", async () => {
    const gameId = await aGame(app.db);
    const playerId = await ada(app.db);
    const seat = { gameId, playerId, actorId, now: NOW };
    const { shown } = await openGame(gameId);
    const payment = { by: "cash", amountCents: 800, method: "Cash" } as const;
    await addPlayer(app.db, app.jobs, { ...seat, payment });
    expect((await cancel(gameId, { shown })).status).toBe(409);
    expect((await openGame(gameId)).text).toContain(
      "8.00\u00a0€ that players paid by hand is yours to give back.",
    );
  });
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
