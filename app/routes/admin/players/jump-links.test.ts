import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let cookie: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

test("a player's balance is beside the name, and leads to where it and the account are changed", async () => {
  const [playerId, gameId] = [await ada(app.db), await aGame(app.db)];
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  const site = await openSite(app);
  const html = await (await site(`/admin/players/${playerId}`, { cookie })).text();
  const content = html.slice(html.indexOf("<main"), html.indexOf("<script", html.indexOf("<main")));
  const text = textOf(content);
  expect(text.indexOf("Balance: 90 credits")).toBeLessThan(text.indexOf("Upcoming bookings"));
  for (const id of ["balance", "statement", "suspension", "upcoming"]) {
    expect(content).toContain(`href="#${id}"`);
    expect(content).toContain(`id="${id}"`);
  }
  const words = text.replaceAll("|", "");
  expect(words).toContain("1 upcoming booking stays until you take Ada off the player lists.");
});
