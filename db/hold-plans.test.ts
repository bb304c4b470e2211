import { beforeAll, expect, test } from "vitest";
import { findFriends, findHeldSpot } from "#app/features/friends/friends.server.ts";
import { listGamesWithHoldsOver } from "#app/features/seats/hold-ends.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// Holds of a month that have ended, and some that are live: what pages and the worker read of them.
const [GAMES, LIVE] = [2_000, 12];
const GROWING = ["games", "bookings", "friend_holds", "profiles", "users"];
const database = useDatabase();
withoutTimeouts(database);
let gameId: string;
let playerId: string;

beforeAll(async () => {
  const { pool } = database;
  const players = await addManyPlayers(pool, 10_000);
  playerId = players[7]!;
  const venueId = await aVenue(database.db);
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 100, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  gameId = await aGame(database.db, { spots: 30 });
  const hold = (status: string, where: string, count: number) =>
    pool.query(
      `insert into friend_holds (user_id, game_id, token, status, expires_at, ended_at)
       select ($1::uuid[])[1 + (g.n * 7 + h) % 1000], id, gen_random_uuid()::text, $3::text, $2,
         case $3::text when 'Held' then null else starts_at end
       from (select *, row_number() over (order by id) as n from games where ${where}) g,
         generate_series(1, ${count}) h`,
      [players, hoursLater(1), status],
    );
  await hold("Lapsed", "title = 'Past game'", 5);
  await hold("Held", "title <> 'Past game'", LIVE);
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status)
     select ($1::uuid[])[1 + (g.n * 7 + seat) % 1000], g.id, 'Paid'
     from (select id, row_number() over (order by id) as n from games) g,
       generate_series(1, 10) seat`,
    [players],
  );
  await pool.query("alter table bookings enable trigger bookings_count_seat");
  await pool.query("analyze");
});

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["the spot of a link", (db) => findHeldSpot(db, { gameId, token: "x".repeat(22), now: NOW })],
  ["whom a player brings", (db) => findFriends(db, { gameId, playerId, now: NOW })],
])("%s is read from indexes", async (_, read) => {
  const statements = await statementsSent(database.pool, read);
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
});

test("the sweep reads the holds that are live, and none that have ended", async () => {
  const statements = await statementsSent(database.pool, (db) => listGamesWithHoldsOver(db, NOW));
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
  expect(await rowsRead(database.pool, statements[0]!, "friend_holds")).toBe(LIVE);
});
