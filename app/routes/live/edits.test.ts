import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { follow, type Following, lastOf, serveHttp } from "#test/live.ts";
import type { LiveGame } from "#app/live/live-stream.ts";
import type { LiveStreams } from "#app/live/streams.server.ts";
import { openLiveStreams } from "./topics.server.ts";

const database = useDatabase();
let live: LiveStreams;
let server: Server;
let url: string;
const streams: Following[] = [];
beforeAll(async () => {
  live = openLiveStreams(
    testApp(database, () => NOW),
    database.pool,
  );
  ({ server, url } = await serveHttp((request, response) => void live.serve(request, response)));
});
afterAll(async () => {
  for (const stream of streams) stream.leave();
  await live.close();
  server.closeAllConnections();
  server.close();
});

/** By SQL, so that what is sent does not depend on who has changed it. */
const setGame = (columns: object) => (id: string) =>
  database.db.updateTable("games").set(columns).where("id", "=", id).execute();
const setVenue = (columns: object) => async (id: string) => {
  const ofGame = database.db.selectFrom("games").select("venue_id").where("id", "=", id);
  await database.db.updateTable("venues").set(columns).where("id", "in", ofGame).execute();
};

const CHANGES: Record<string, (gameId: string) => Promise<unknown>> = {
  start: setGame({ start_time: "12:15" }),
  end: setGame({ end_time: "14:00" }),
  date: setGame({ date: "2099-11-25" }),
  title: setGame({ title: "Another name" }),
  description: setGame({ description: "Bring a ball" }),
  notes: setGame({ player_notes: "Gate code 12" }),
  level: setGame({ level: "Relaxed" }),
  price: setGame({ price_eur: "9.00" }),
  "free first session": setGame({ is_first_session_free: true }),
  venue: async (id) => setGame({ venue_id: await aVenue(database.db) })(id),
  "venue's name": setVenue({ name: "Töölö" }),
  "venue's address": setVenue({ address: "Tie 2" }),
  "venue's notes": setVenue({ player_notes: "Ring twice" }),
};

test.each(Object.keys(CHANGES))("an open page hears that a game's %s has changed", async (what) => {
  const game = await aGame(database.db, { date: "2099-11-23" });
  const stream = await follow(url, [game]);
  streams.push(stream);
  const before = (await lastOf(stream, 1)) as LiveGame;
  await vi.waitFor(async () => expect(await listeners()).toBe(1));
  await CHANGES[what]!(game);
  const after = (await lastOf(stream, 2)) as LiveGame;
  expect(after).toMatchObject({ id: game, spots: 10, joined: 0 });
  expect(after.planVersion).not.toBe(before.planVersion);
  expect(after.revision).not.toBe(before.revision);
});

async function listeners(): Promise<number> {
  const { rows } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and query like 'listen %'",
  );
  return rows.length;
}
