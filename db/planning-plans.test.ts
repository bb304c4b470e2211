import { beforeAll, expect, test } from "vitest";
import { listToCancel } from "#app/features/organise/cancel-games.server.ts";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import { listWarnings } from "#app/features/games/warnings.server.ts";
import { listToDelete } from "#app/features/organise/delete-games.server.ts";
import { parseAdminGameFilter } from "#app/features/games/filters.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, scannedTables, statementsSent } from "#test/plans.ts";

// Years of games, with bookings, at one venue: what is read before games are planned or cancelled.
const GAMES = 2_000;
const GROWING = ["games", "bookings"];
const database = useDatabase();
withoutTimeouts(database);
let [gameId, venueId] = ["", ""];

beforeAll(async () => {
  const { db, pool } = database;
  const players = await addManyPlayers(pool, 1_000);
  venueId = await aVenue(db);
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id, series_id)
     select 'Past game', $1::date - 1 - n, '18:00', '19:30', 'Published', 10, $2, gen_random_uuid()
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  gameId = await aGame(db, { venue_id: venueId, series_id: crypto.randomUUID() });
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

const listGames = (query: string) => (db: Db) => {
  const filter = parseAdminGameFilter(new URLSearchParams(query));
  return listAdminGames(db, { filter, now: NOW, after: null, limit: 50 });
};

test.each<[string, (db: Db) => Promise<unknown>]>([
  [
    "which games overlap",
    (db) => {
      const planned = [{ id: crypto.randomUUID(), plan: aPlan(venueId) }];
      return db.transaction().execute((tx) => listWarnings(tx, planned, NOW));
    },
  ],
  [
    "the games of a series to cancel",
    (db) => listToCancel(db, { gameId, withFollowing: true }, NOW),
  ],
  [
    "the ticked games of a series",
    (db) => listToCancel(db, { gameId, chosen: [gameId, crypto.randomUUID()] }, NOW),
  ],
  [
    "the games of a venue to cancel",
    (db) => listToCancel(db, { venueId, from: "2026-11-21", to: "2026-12-24" }, NOW),
  ],
  ["the games of a title", listGames("when=all&q=past")],
  ["games without a result", listGames("when=past&lacks=result")],
  ["games without attendance", listGames("when=past&lacks=attendance")],
  [
    "the games to delete",
    (db) => listToDelete(db, { gameId, withFollowing: true, now: hoursLater(1) }),
  ],
])("%s are read from indexes", async (_, read) => {
  const sent = await statementsSent(database.pool, read);
  const statements = sent.filter(({ sql }) => /\bgames\b/.test(sql));
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, GROWING)).toEqual([]);
});
