import { beforeAll, expect, test } from "vitest";
import { lockWalletsOfJoin } from "#app/features/seats/after-join.server.ts";
import { sweepWaitlists } from "#app/features/waitlist/promote-waiting.server.ts";
import { countWaiting, listOwnEntries } from "#app/features/waitlist/entries.server.ts";
import { listWaiting } from "#app/features/waitlist/order.server.ts";
import { lockGame, type LockedGame } from "#app/features/games/games.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isLong } from "#test/long.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// Years of lists that have ended, and those of the week: what is read under a game's lock, and by
// the worker every few seconds.
const GAMES = isLong ? 20_000 : 2_000;
const [TO_COME, WAITING] = [30, 8];
const database = useDatabase();
withoutTimeouts(database);
let gameId: string;
let playerId: string;

beforeAll(async () => {
  const { pool } = database;
  const players = await addManyPlayers(pool, 1_000);
  playerId = players[7]!;
  const venueId = await aVenue(database.db);
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 10, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  for (let n = 0; n < TO_COME; n += 1) gameId = await aGame(database.db, { startsIn: 5 + n * 9 });
  const wait = (status: string, where: string, count: number) =>
    pool.query(
      `insert into waitlist_entries (user_id, game_id, mode, agreed_text, agreed_version, agreed_at,
         agreed_key, game_starts_at, game_venue_id, max_price_eur, until_hours, not_after, status, ended_at)
       select ($1::uuid[])[1 + (g.n * 7 + w) % 1000], id, 'auto', 'Yes', 1, $2, gen_random_uuid(),
         starts_at, venue_id, 10, 0, starts_at, $3::text, case $3::text when 'Waiting' then null else starts_at end
       from (select *, row_number() over (order by id) as n from games where ${where}) g,
         generate_series(1, ${count}) w`,
      [players, NOW, status],
    );
  await wait("Lapsed", "title = 'Past game'", 5);
  await wait("Waiting", "title <> 'Past game'", WAITING);
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status, late_refund_eur, cancelled_at)
     select ($1::uuid[])[1 + (g.n * 7 + seat) % 1000], g.id, 'Cancelled', 9.01, now()
     from (select id, row_number() over () as n from games) g, generate_series(1, 5) seat`,
    [players],
  );
  await pool.query("alter table bookings enable trigger bookings_count_seat");
  await pool.query("analyze");
});

const GROWING = ["games", "bookings", "waitlist_entries", "profiles", "users"];
const inGame = (read: (tx: Tx, game: LockedGame) => Promise<unknown>) => (db: Db) =>
  db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    await read(tx, game!);
  });
test.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["who waits for a game, in order", 2, inGame((tx, game) => listWaiting(tx, game, { now: NOW }))],
  ["one who waits", 2, inGame((tx, game) => listWaiting(tx, game, { now: NOW, userId: playerId }))],
  ["how many wait", 1, (db) => countWaiting(db, gameId)],
  ["where a player waits", 1, (db) => listOwnEntries(db, { playerId, now: NOW })],
])("%s is read from indexes", async (_, count, read) => {
  const statements = await statementsSent(database.pool, read);
  expect(statements).toHaveLength(count);
  for (const statement of statements) {
    expect(await scannedTables(database.pool, statement, GROWING)).toEqual([]);
  }
});

test("the sweep reads the lists that are open, and neither those that ended nor all games", async () => {
  // No spot is free: it finds nothing to do.
  await database.pool.query("update games set spots_held = max_players where title <> 'Past game'");
  const statements = await statementsSent(database.pool, (db) =>
    sweepWaitlists(db, database.jobs, NOW),
  );
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
  const open = TO_COME * WAITING;
  expect(await rowsRead(database.pool, statements[0]!, "waitlist_entries", "games")).toBe(open * 2);
  await database.pool.query("update games set spots_held = 0 where spots_held > 0");
});

test("who cancelled late is read from the index of one game", async () => {
  const statements = await statementsSent(
    database.pool,
    inGame((tx, game) =>
      lockWalletsOfJoin(tx, { ...game, joinedCount: 9 }, { playerId, now: NOW }),
    ),
    /from bookings/,
  );
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
  expect(await rowsRead(database.pool, statements[0]!, "bookings")).toBe(5);
});
