import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, textOf } from "#test/screen.tsx";
import { toastAfter } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  admin = await anAdmin(app);
});

async function read(path: string) {
  const { cookie } = admin;
  const html = await (await (await openSite(app))(path, { cookie })).text();
  return html.replaceAll(/<script\b.*?<\/script>/gs, "");
}

async function add(gameId: string, playerId: string) {
  const added = { gameId, playerId, actorId: admin.id, now };
  const result = await addPlayer(app.db, app.jobs, added);
  if (!result.ok) throw new Error(result.reason);
  return { ...added, bookingId: result.bookingId };
}

async function aSeries() {
  const series_id = crypto.randomUUID();
  return Promise.all([48, 72, 96].map((startsIn) => aGame(app.db, { startsIn, series_id })));
}

test("with no game ticked none is offered, not the one of the page either", async () => {
  const [gameId] = await aSeries();
  const page = await read(`/admin/games/${gameId}`);
  expect(page).toMatch(
    /<button[^>]*name="scope"[^>]*value="ticked"|<button[^>]*value="ticked"[^>]*name="scope"/,
  );
  const asked = await read(`/admin/games/${gameId}/cancel?scope=ticked`);
  expect(textOf(asked)).toContain("Tick games first.");
  expect(asked).toContain(`href="/admin/games/${gameId}#series"`);
  expect(buttonsOf(asked).join()).not.toContain("for good");
});

test("a player who is in several of the games is one player, in question and result", async () => {
  const [series, playerId, other] = [await aSeries(), await ada(app.db), await ben(app.db)];
  for (const gameId of series) await add(gameId, playerId);
  await add(series[0]!, other);
  const path = `/admin/games/${series[0]}/cancel?scope=following`;
  const page = await read(path);
  expect(textOf(page)).toContain("3 games, 2 players.");
  const games = page.match(/name="games" value="([^"]*)"/)![1]!;
  const body = new URLSearchParams({ intent: "cancel", games, formKey: crypto.randomUUID() });
  const done = await (await openSite(app))(path, { cookie: admin.cookie, body });
  expect(await toastAfter(app, done.headers)).toMatchObject({
    ...{ title: "3 games cancelled", description: "2 players are notified by email." },
  });
});

test("a game with a check-in says why it cannot be cancelled", async () => {
  const gameId = await aGame(app.db, { startsIn: 0.5 });
  const seat = await add(gameId, await ada(app.db));
  const path = `/admin/games/${gameId}`;
  const why = "To cancel this game, first undo its check-ins";
  expect(await read(path)).not.toContain(why);
  now = hoursLater(0.4);
  await markAttendance(app.db, { ...seat, from: null, to: "CheckedIn", now });
  const page = await read(path);
  expect(page).toContain(why);
  expect(buttonsOf(page)).not.toContain("Cancel game");
});
