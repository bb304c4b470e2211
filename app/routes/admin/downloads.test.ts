import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { allAddresses, type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
let game: string;
let admin: { id: string; cookie: string };
beforeAll(async () => {
  app = testApp(database, () => new Date());
  site = await openSite(app);
  game = await aGame(app.db);
  admin = await anAdmin(app);
});

// What the log says of each file of an organiser's; null where it has no personal data.
const FILES: Record<string, string | null> = {
  "/admin/games/:gameId/players": "game.download",
  "/admin/log": "log.download",
  "/admin/overview/:metric": null,
};

const places = allAddresses()
  .map(({ path }) => path)
  .filter((path) => path.startsWith("/admin/") && /\.\w+$/.test(path))
  .sort();

test("every file under /admin is named here, as .csv and as .xlsx", () => {
  const named = Object.keys(FILES).flatMap((path) => [`${path}.csv`, `${path}.xlsx`]);
  expect(places).toEqual(named.sort());
});

const listEntries = () =>
  app.db.selectFrom("audit_log").select(["actor", "action", "subject"]).orderBy("id").execute();

test.each(places)("who downloads %s is in the log, where it has personal data", async (place) => {
  const action = FILES[place.replace(/\.\w+$/, "")]!;
  const path = place.replace(":gameId", game).replace(":metric", "games");
  const before = await listEntries();
  const response = await site(path, { cookie: admin.cookie });
  expect([response.status, (await response.bytes()).length > 50]).toEqual([200, true]);
  const subject = place.includes(":gameId") ? game : admin.id;
  const entry = { actor: admin.id, action, subject };
  expect((await listEntries()).slice(before.length)).toEqual(action ? [entry] : []);
});

test("a file that is rejected, or that is not there, leaves no entry", async () => {
  const before = await listEntries();
  const cookie = await signIn(app, await aPlayer(app.db));
  for (const place of places) await site(place.replace(":gameId", game), { cookie });
  await site(`/admin/games/${crypto.randomUUID()}/players.xlsx`, { cookie: admin.cookie });
  await site("/admin/log.xlsx?from=tomorrow", { cookie: admin.cookie });
  expect(await listEntries()).toEqual(before);
});
