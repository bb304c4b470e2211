import { beforeAll, describe, expect, test } from "vitest";
import { findNextFreeGame, listNextGames } from "#app/features/games/games.server.ts";
import { findInvitation } from "#app/features/friends/invitations.server.ts";
import { listActivePartners } from "#app/features/partners/partners.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// What every visitor reads before signing up.
const database = useDatabase();
withoutTimeouts(database);
const UPCOMING = 30;
let gameId: string;

beforeAll(async () => {
  await database.pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 10, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, 2000) n`,
    ["2026-11-21", await aVenue(database.db)],
  );
  for (let n = 0; n < UPCOMING; n += 1) {
    gameId = await aGame(database.db, { startsIn: 5 + n * 9, is_first_session_free: n > 20 });
  }
  await database.pool.query("analyze");
});

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["the next games", (db) => listNextGames(db, { limit: 3, now: NOW })],
  ["the next free game", (db) => findNextFreeGame(db, NOW)],
  ["the partners of the front page", listActivePartners],
  ["the game that a visitor was sent", (db) => findInvitation(db, `/events/${gameId}`, NOW)],
])("%s", (_, read) => {
  test("is one statement that reads no game of the past", async () => {
    const [statement, ...more] = await statementsSent(database.pool, read);
    expect(more).toEqual([]);
    expect(await scannedTables(database.pool, statement!, ["games"])).toEqual([]);
    expect(await rowsRead(database.pool, statement!, "games")).toBeLessThanOrEqual(UPCOMING);
  });
});
