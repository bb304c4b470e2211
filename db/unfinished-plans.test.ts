import { beforeAll, describe, expect, test } from "vitest";
import {
  findUnfinishedGames,
  listGamesOfToday,
} from "#app/features/roster/current-games.server.ts";
import {
  countNoShowsOf,
  listCountedNoShows,
  listNoShows,
  playersWithNoShows,
} from "#app/features/roster/no-shows.server.ts";
import { ADMINS, searchPlayers, SUSPENDED } from "#app/features/players/search-players.server.ts";
import { countPendingWithdrawals } from "#app/features/support/withdrawals.server.ts";
import { countUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPapers, addManyPlayers, scannedTables, statementsSent } from "#test/plans.ts";

// What the overview and the lists of players read: of a few years of games the last weeks.
const database = useDatabase();
withoutTimeouts(database);
let playerIds: string[];

beforeAll(async () => {
  const { db, pool } = database;
  playerIds = (await addManyPlayers(pool, 2_000)).slice(0, 50);
  const venueId = await aVenue(db);
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Game', $1::date + 14 - n / 4, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, 4000) n`,
    ["2026-11-21", venueId],
  );
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status, attendance)
     select one.id, games.id, case when n % 400 = 0 then 'Unpaid' else 'Paid' end,
       case when n % 20 = 0 then 'NoShow' else 'CheckedIn' end
     from (select id, row_number() over () as n from games) games
     join (select id, row_number() over () as k from users) one on one.k % 400 = games.n % 400`,
  );
  await pool.query("alter table bookings enable trigger bookings_count_seat");
  await pool.query(
    `insert into game_results (game_id, first_score, second_score, recorded_at)
     select id, 3, 2, now() from games where starts_at < $1::timestamptz - interval '1 day'`,
    [NOW],
  );
  await addManyPapers(pool, playerIds);
  await pool.query(
    `update withdrawals set outcome = 'taken_back', ended_at = now()
     where id not in (select id from withdrawals limit 3)`,
  );
  await pool.query(
    "update users set suspended_at = now(), suspended_reason = 'Fights' where id = any($1)",
    [playerIds],
  );
  await pool.query("analyze");
});

const GROWING = [
  ...["users", "profiles", "games", "game_results", "bookings", "withdrawals", "payments"],
  ...["stripe_events"],
];
const among = (ids: typeof SUSPENDED, words = "") => ({
  words,
  after: null,
  limit: 50,
  among: ids,
});

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["the games of today and the next one", (db) => listGamesOfToday(db, NOW)],
  ["games without attendance or result", (db) => findUnfinishedGames(db, { now: NOW, limit: 3 })],
  ["how many withdrawals wait for a refund", (db) => countPendingWithdrawals(db, NOW)],
  ["how many payments wait for an admin", (db) => countUnmatchedEvents(db, 100)],
  ["a player's no-shows", (db) => listNoShows(db, { playerId: playerIds[7]!, now: NOW })],
  [
    "a player's no-shows that count",
    (db) => listCountedNoShows(db, { playerId: playerIds[7]!, now: NOW }),
  ],
  ["the no-shows of a page of players", (db) => countNoShowsOf(db, { playerIds, now: NOW })],
  ["suspended players", (db) => searchPlayers(db, among(SUSPENDED))],
  ["suspended players by name", (db) => searchPlayers(db, among(SUSPENDED, "play 7"))],
  ["admins", (db) => searchPlayers(db, among(ADMINS))],
  ["players with no-shows", (db) => searchPlayers(db, among(playersWithNoShows(NOW)))],
])("%s", (_, read) => {
  test("is one statement and never reads a whole table that grows", async () => {
    const statements = await statementsSent(database.pool, read);
    expect(statements).toHaveLength(1);
    expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
  });
});
