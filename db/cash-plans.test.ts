import { beforeAll, expect, test } from "vitest";
import { listCashOf, listLiveCash } from "#app/features/roster/cash-payments.server.ts";
import { listFormerPlayers } from "#app/features/roster/former-players.server.ts";
import { sumCash } from "#app/features/reports/metrics.server.ts";
import {
  countPendingCash,
  countUnpaid,
  listUnpaidSeats,
  describePendingCash,
  findPendingCash,
  sumPendingCash,
} from "#app/features/bookings/pending-cash.server.ts";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import { parseAdminGameFilter } from "#app/features/games/filters.ts";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, ben, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// Some years of games, each with a payment by hand and one player who has left; a few are unpaid.
const [GAMES, UNPAID, DUE] = [3_000, 5, 20];
const GROWING = ["games", "bookings", "cash_payments", "profiles", "users"];
const database = useDatabase();
withoutTimeouts(database);
let [gameId, playerId] = ["", ""];

beforeAll(async () => {
  const { pool, db } = database;
  const players = await addManyPlayers(pool, 10_000);
  playerId = players[0]!;
  const [venueId, adminId] = [await aVenue(db), await ben(db)];
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - n, '18:00', '19:30', 'Published', 30, $2
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  gameId = await aGame(db, { spots: 30 });
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  const book = (status: string, seats: string) =>
    pool.query(
      `insert into bookings (user_id, game_id, payment_status, price_eur)
       select ($1::uuid[])[1 + (g.n * 17 + seat) % 10000], g.id, $2, 0
       from (select id, row_number() over (order by id) as n from games) g,
         generate_series(${seats}) seat`,
      [players, status],
    );
  await book("Paid", "1, 10");
  await book("Cancelled", "11, 11");
  await pool.query("update bookings set price_eur = 10 where payment_status = 'Cancelled'");
  await pool.query(
    `insert into cash_payments (id, booking_id, amount_eur, method, noted_by, noted_at)
     select distinct on (game_id) gen_random_uuid(), bookings.id, 10, 'Cash', $1::uuid, starts_at
     from bookings join games on games.id = game_id where payment_status = 'Paid'
     order by game_id`,
    [adminId],
  );
  // A few players with cash were taken off the list.
  await pool.query(
    `update bookings set payment_status = 'Cancelled' where id in (
       select booking_id from cash_payments order by booking_id limit ${DUE})`,
  );
  await pool.query("alter table bookings enable trigger bookings_count_seat");
  await pool.query(
    `update bookings set payment_status = 'Unpaid' where id in (
       select id from bookings where payment_status = 'Paid'
         and id not in (select booking_id from cash_payments) order by id limit ${UNPAID})`,
  );
  await pool.query("analyze");
});

const weeks = weeksUntil(NOW, 12);

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["who has left a game", (db) => listFormerPlayers(db, gameId)],
  ["what a game holds in cash", (db) => listLiveCash(db, gameId)],
  ["what was paid by hand in a quarter", (db) => sumCash(db, { weeks, venueId: null, now: NOW })],
  ["how many seats are unpaid", (db) => countUnpaid(db, NOW)],
  ["who has not paid", (db) => listUnpaidSeats(db, { isOver: true, limit: 100, now: NOW })],
  ["how much cash is to be given back", countPendingCash],
  ["the first of it", findPendingCash],
  ["the cash to give back of a game", (db) => sumPendingCash(db, { gameId })],
  ["the cash to give back to a player", (db) => sumPendingCash(db, { playerId })],
  ["what a player reads of it in a game", (db) => describePendingCash(db, { gameId, playerId })],
  ["what organisers read of it", (db) => listCashOf(db, [gameId, playerId])],
  ["what a player reads of it", (db) => describePendingCash(db, { bookingIds: [gameId] })],
])("%s is read from indexes", async (_, read) => {
  const statements = await statementsSent(database.pool, read);
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
});

test.each([
  ["unpaid seats", "unpaid", UNPAID],
  ["cash to give back", "cash-back", DUE],
])("the games with %s are found by those bookings", async (_, pays, count) => {
  const filter = parseAdminGameFilter(new URLSearchParams(`pays=${pays}&when=all`));
  const read = (db: Db) => listAdminGames(db, { filter, now: NOW, after: null, limit: 50 });
  const [statement] = await statementsSent(database.pool, read);
  expect(await scannedTables(database.pool, statement!, GROWING)).toEqual([]);
  // The eleven of each game that is shown, not those of all games.
  expect(await rowsRead(database.pool, statement!, "bookings")).toBeLessThanOrEqual(15 * count);
});

test("what is due reads no booking of another payment, however many there have been", async () => {
  const [statement] = await statementsSent(database.pool, countPendingCash);
  const read = ["bookings", "cash_payments"].map((table) =>
    rowsRead(database.pool, statement!, table),
  );
  expect(await Promise.all(read)).toEqual([DUE, DUE]);
});
