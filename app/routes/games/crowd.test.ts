import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, NOW, somePlayers } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { type Database, openDatabase, REQUEST_LIMITS } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isLong } from "#test/long.ts";

const CROWD = isLong ? 60 : 16;
const SPOTS = 4;

const database = useDatabase(12);
let small: Database;
let site: AskSite;
beforeAll(async () => {
  vi.spyOn(log, "error").mockImplementation(() => {});
  small = openDatabase(database.connection, 2, { ...REQUEST_LIMITS, connectMs: 200 });
  site = await openSite({ ...testApp(database, () => NOW), db: small.db });
});
afterAll(() => small.close());

test("a crowd that is too large is asked to come again, and in the end the spots are right", async () => {
  const app = testApp(database, () => NOW);
  const gameId = await aGame(app.db, { spots: SPOTS });
  const players = await somePlayers(app.db, CROWD, 10);
  let left = await Promise.all(players.map((playerId) => signIn(app, playerId)));
  const counts: Record<number, number> = {};
  // The first time nobody gets a connection; later some do.
  const held = await Promise.all([small.pool.connect(), small.pool.connect()]);
  while (left.length > 0) {
    const answers = await Promise.all(
      left.map(async (cookie) => {
        const body = new URLSearchParams({ intent: "join" });
        const { status, headers } = await site(`/events/${gameId}`, { cookie, body });
        return { cookie, status, retryAfter: headers.get("Retry-After") };
      }),
    );
    for (const client of held.splice(0)) client.release();
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.filter(({ retryAfter }) => retryAfter !== "10")).toEqual([]);
    left = shed.map(({ cookie }) => cookie);
  }
  expect(counts[503]).toBeGreaterThanOrEqual(CROWD);
  const { 503: _, ...known } = counts;
  expect(known).toEqual({ 302: SPOTS, 409: CROWD - SPOTS });
});
