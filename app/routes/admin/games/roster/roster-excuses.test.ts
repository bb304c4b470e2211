import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { excuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database, () => hoursLater(1));
  admin = await anAdmin(app);
});

test("a no-show on the roster leads to its excuse, and excused it says so and does not count", async () => {
  const { db, jobs } = app;
  const [gameId, playerId] = [await aGame(db, { startsIn: 0.5 }), await aPlayer(db)];
  const actorId = admin.id;
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  const seat = { gameId, bookingId: added.bookingId, playerId, actorId, now: hoursLater(1) };
  await markAttendance(db, { ...seat, from: null, to: "NoShow" });
  const site = await openSite(app);
  const read = async (path = "") =>
    (await site(`/admin/games/${gameId}${path}`, { cookie: admin.cookie })).text();
  const link = `href="/admin/players/${playerId}#no-shows"`;
  const before = await read();
  expect(before).toContain(link);
  expect(textOf(before)).toContain("1 in · 9 spots left · 1 no-show");
  await excuseNoShow(db, { ...seat, note: "Fever" });
  const after = await read();
  expect(after).not.toContain(link);
  expect(textOf(after)).toContain("1 in · 9 spots left · 1 excused");
  for (const path of ["/print", "/players.csv"]) {
    expect(await read(path)).toMatch(/[>,]"?Excused"?[<,]/);
  }
});
