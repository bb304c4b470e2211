import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { findUnfinishedGames } from "#app/features/roster/current-games.server.ts";
import {
  countActivePlayers,
  countGames,
  countNoShows,
  countWaited,
  WEEKLY_METRICS,
} from "#app/features/reports/metrics.server.ts";
import { countPlayers } from "#app/features/players/profiles.server.ts";
import { sumCredits, sumIncome } from "#app/features/wallet/metrics.server.ts";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { keepWeeks } from "#app/platform/weekly-metrics.server.ts";
import { useDatabase } from "#test/db.ts";
import { aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, rowsRead, statementsSent } from "#test/plans.ts";

// Two games a day for two years with five players each, and an hour between accounts, payments and
// entries of the ledger. NOW is a Saturday, the 21st of its month.
const [GAMES, SEATS, RECORDS] = [1_400, 5, 6_000];
const database = useDatabase();
withoutTimeouts(database);
const weeks = weeksUntil(NOW, 12);
const question = { weeks, venueId: null, now: NOW };

beforeAll(async () => {
  const { pool, db } = database;
  const players = await addManyPlayers(pool, RECORDS);
  const venueId = await aVenue(db);
  const ago = `$1::timestamptz - n * interval '1 hour'`;
  await pool.query("alter table bookings disable trigger user");
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id, seats_taken)
     select 'Past game', $1::date - n / 2, '18:00', '19:30', 'Published', 10, $2, ${SEATS}
     from generate_series(1, ${GAMES}) n`,
    [NOW, venueId],
  );
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status, attendance)
     select ($1::uuid[])[1 + (g.n * 7 + seat * 11) % 900], g.id, 'Paid', 'CheckedIn'
     from (select id, row_number() over () as n from games) g, generate_series(1, ${SEATS}) seat`,
    [players],
  );
  await pool.query("alter table bookings enable trigger user");
  await pool.query(
    `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after, status,
       end_reason, ended_at)
     select game_id, user_id, 'auto', 10, now(), 'Lapsed', 'GameStarted', now() from bookings`,
  );
  await pool.query(
    `update profiles set created_at = ${ago} from (
       select user_id, row_number() over () as n from profiles) numbered
     where numbered.user_id = profiles.user_id`,
    [NOW],
  );
  await pool.query(
    `insert into credit_packs (pack_key, pack_name, price_eur, total_credit_eur)
     values ('one', 'One', 9.99, 10)`,
  );
  await pool.query(
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select 'cs_' || n, $2, (select id from credit_packs), 9.99, 10, ${ago}
     from generate_series(1, ${RECORDS}) n`,
    [NOW, players[0]],
  );
  await pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, business_key, created_at)
     select $2, 'topup', 10, n::text, ${ago} from generate_series(1, ${RECORDS}) n`,
    [NOW, players[0]],
  );
  await pool.query("vacuum analyze");
  await keepWeeks(db, WEEKLY_METRICS, NOW);
  await pool.query("vacuum analyze weekly_metrics, week_changes");
});

const [WEEK_GAMES, MONTH_GAMES] = [2 * 7, 2 * 21];
const WEEK_HOURS = 7 * 24;

const READS: [string, (db: Db) => Promise<unknown>, Record<string, number>][] = [
  ["games", (db) => countGames(db, question), { games: WEEK_GAMES }],
  [
    "active players",
    (db) => countActivePlayers(db, question),
    // Their month is counted each time.
    { games: WEEK_GAMES + MONTH_GAMES, bookings: SEATS * (WEEK_GAMES + MONTH_GAMES) },
  ],
  [
    "no-shows",
    (db) => countNoShows(db, question),
    { games: WEEK_GAMES, bookings: SEATS * WEEK_GAMES },
  ],
  [
    "waitlists",
    (db) => countWaited(db, question),
    { games: WEEK_GAMES, waitlist_entries: SEATS * WEEK_GAMES, bookings: 2 * SEATS * WEEK_GAMES },
  ],
  ["players", (db) => countPlayers(db, question), { profiles: WEEK_HOURS }],
  ["income", (db) => sumIncome(db, question), { payments: WEEK_HOURS }],
  ["credits", (db) => sumCredits(db, question), { wallet_transactions: WEEK_HOURS }],
];

// To find the first of all and whether there is any.
const A_FEW = 5;

test.each(READS)("%s of weeks that are over are not counted again", async (_, read, most) => {
  const [statement, ...others] = await statementsSent(database.pool, read);
  expect(others).toEqual([]);
  for (const [table, rows] of Object.entries(most)) {
    const counted = await rowsRead(database.pool, statement!, table);
    expect([table, counted <= rows + A_FEW, counted]).toEqual([table, true, counted]);
  }
});

test("a week that has changed since is counted, and no other", async () => {
  const { pool } = database;
  const read = (db: Db) => countNoShows(db, question);
  const [statement] = await statementsSent(pool, read);
  const before = await rowsRead(pool, statement!, "bookings");
  await sql`update games set max_players = 11 where date = '2026-10-14'`.execute(database.db);
  const changed = await rowsRead(pool, statement!, "bookings");
  expect(changed - before).toBe(SEATS * WEEK_GAMES);
  await keepWeeks(database.db, WEEKLY_METRICS, NOW);
  expect(await rowsRead(pool, statement!, "bookings")).toBe(before);
});

test("games to complete are found by the marks of a fortnight, and three are read", async () => {
  const read = (db: Db) => findUnfinishedGames(db, { now: NOW, limit: 3 });
  const [statement, ...others] = await statementsSent(database.pool, read);
  expect(others).toEqual([]);
  const fortnight = 2 * 14;
  expect(await rowsRead(database.pool, statement!, "games")).toBeLessThanOrEqual(fortnight);
  const marks = await rowsRead(database.pool, statement!, "bookings");
  expect(marks).toBeLessThanOrEqual(SEATS * fortnight);
});
