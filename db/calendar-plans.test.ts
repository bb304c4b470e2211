import { beforeAll, expect, test } from "vitest";
import { findFeedCalendar, findGameCalendar } from "#app/features/bookings/calendar.server.ts";
import { findFeedToken } from "#app/features/bookings/calendar-feeds.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, EACH, rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// What the calendars of all players read every hour.
const database = useDatabase();
withoutTimeouts(database);
const SITE = { appUrl: "http://kickabout.test", brandName: "K", contactEmail: "a@b.example" };
const TOKEN = "1".padStart(22, "c");
const ids = { player: "", game: "" };

beforeAll(async () => {
  const { pool } = database;
  const players = await addManyPlayers(pool);
  const { rows: games } = await pool.query<{ id: string }>(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Game', $1::date + 30 - n / 10, '18:00', '19:30', 'Published', 20, $2
     from generate_series(1, ${EACH}) n returning id`,
    ["2026-11-21", await aVenue(database.db)],
  );
  const all = [players, games.map(({ id }) => id)];
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status)
     select ($1::uuid[])[1 + (n * 7 + seat * 11) % ${EACH}], ($2::uuid[])[n], 'Paid'
     from generate_series(1, ${EACH}) n, generate_series(1, 8) seat`,
    all,
  );
  await pool.query(
    `insert into calendar_feeds (user_id, token)
     select id, lpad(n::text, 22, 'c') from unnest($1::uuid[]) with ordinality player (id, n)`,
    all.slice(0, 1),
  );
  [ids.player, ids.game] = [players[0]!, games[0]!.id];
  await pool.query("analyze");
});

const GROWING = ["users", "profiles", "games", "bookings", "calendar_feeds"];

test.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["a game for a calendar", 1, (db) => findGameCalendar(db, SITE, { ...playing(), now: NOW })],
  // There are eight; the plan rounds up what it throws away.
  ["a player's games", 16, (db) => findFeedCalendar(db, SITE, { token: TOKEN, now: NOW })],
  ["the address of a player's games", 0, (db) => findFeedToken(db, ids.player)],
])("%s: one statement reads these games only", async (_, games, read) => {
  const [statement, ...others] = await statementsSent(database.pool, read);
  expect(others).toEqual([]);
  expect(await scannedTables(database.pool, statement!, GROWING)).toEqual([]);
  expect(await rowsRead(database.pool, statement!, "games")).toBeLessThanOrEqual(games);
});

const playing = () => ({ gameId: ids.game, playerId: ids.player });
