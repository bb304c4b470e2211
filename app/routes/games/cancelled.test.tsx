import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { buttonsOf, linksOf, renderPage, SITE, textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import Game, { loader, meta } from "./show.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

async function pageFor(playerId: string, gameId: string) {
  const cookie = await signIn(app, playerId);
  const at = { path: `/events/${gameId}`, cookie };
  const { data } = await visit(app, loader, at);
  const matches = [{ id: "root", loaderData: { site: SITE } }];
  const tags = meta({ loaderData: data, matches } as unknown as Parameters<typeof meta>[0]);
  return { html: renderPage(Game, { loaderData: data }), tags: JSON.stringify(tags) };
}

/** A game that a player has joined and the organiser has cancelled. */
async function calledOff() {
  const [gameId, playerId] = [await aGame(app.db), await ada(app.db)];
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  await cancelGame(app.db, app.jobs, { gameId, now: NOW });
  return { gameId, playerId };
}

test("who was in it reads 'Cancelled': no spots, no players, nothing to join", async () => {
  const { gameId, playerId } = await calledOff();
  const { html, tags } = await pageFor(playerId, gameId);
  expect(textOf(html)).toContain("|Cancelled|");
  expect(textOf(html)).toContain("|This game was cancelled.|");
  expect(textOf(html)).not.toMatch(/spots? left|confirmed|attending|Join|GAME FULL|no players/i);
  expect(buttonsOf(html).join()).not.toMatch(/join/i);
  expect(linksOf(html)).toContain("My Games → /bookings");
  expect(tags).toContain("Cancelled.");
  expect(tags).not.toContain("spots left");
});

test("an admin sees the same, without games of their own to look at", async () => {
  const { gameId } = await calledOff();
  const adminId = await ada(app.db);
  const user = app.db.selectFrom("users").select("email").where("id", "=", adminId);
  await makeAdmin(app.db, (await user.executeTakeFirstOrThrow()).email, "command");
  const { html } = await pageFor(adminId, gameId);
  expect(textOf(html)).toContain("|This game was cancelled.|");
  expect(linksOf(html)).not.toContain("My Games → /bookings");
});

test("a booking that is left in a game cancelled by SQL offers nothing either", async () => {
  const [gameId, playerId] = [await aGame(app.db), await ada(app.db)];
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  await app.db.updateTable("games").set({ status: "Cancelled" }).where("id", "=", gameId).execute();
  const { html } = await pageFor(playerId, gameId);
  expect(textOf(html)).toContain("|Cancelled|");
  expect(textOf(html)).not.toMatch(/spots? left|attending/);
});
