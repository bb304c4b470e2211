import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import {
  findStanding,
  hasUsedFreeSession,
  listAttendees,
  listEarlierTickets,
  listNextTickets,
} from "../app/features/bookings/bookings.server.ts";
import { findGame, listUpcomingGames } from "../app/features/games/games.server.ts";
import {
  findVenue,
  listCities,
  listVenueIds,
  listVenues,
} from "../app/features/venues/venues.server.ts";
import { listActivePartners } from "../app/features/partners/partners.server.ts";
import { findCard, findSharedCard, findShareToken } from "../app/features/players/cards.server.ts";
import { findEventStats } from "../app/features/players/event-stats.server.ts";
import { findOwnProfile, findPublicProfile } from "../app/features/players/profiles.server.ts";
import { collectPersonalData } from "../app/features/privacy/personal-data.server.ts";
import { claimReward } from "../app/features/rewards/claim-reward.server.ts";
import { findProgress } from "../app/features/rewards/progress.server.ts";
import { isWithinLimit } from "../app/features/support/hourly-limit.server.ts";
import { listPurchases, listWithdrawals } from "../app/features/support/purchases.server.ts";
import { listParkedEvents } from "../app/features/wallet/parked-events.server.ts";
import { listOpenLots } from "../app/features/wallet/open-lots.server.ts";
import { listEntries } from "../app/features/wallet/statement.server.ts";
import { listSubscriptions } from "../app/features/wallet/subscriptions.server.ts";
import type { Db, Tx } from "../app/platform/db.server.ts";
import type { Schema } from "../app/platform/schema.ts";
import { useDatabase } from "../test/db.ts";
import { addManyPapers, SHARED_TOKEN } from "../test/many-papers.ts";
import { withPatience } from "../test/patience.ts";
import { aGame, aVenue, NOW } from "../test/world.ts";

// A few years of a campus: 1,000 players, 20,000 past games, 100,000 bookings and as many entries
// and lots of their wallets.
const world = useDatabase();
withPatience(world);
let playerId: string;
let gameId: string;
let venueId: string;

beforeAll(async () => {
  const { rows } = await world.pool.query<{ id: string }>(
    `insert into users (name, email) select 'Player', n || '@uni.example'
     from generate_series(1, 1000) n returning id`,
  );
  const players = rows.map(({ id }) => id);
  playerId = players[7]!;
  await world.pool.query(
    `insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major)
     select id, email, 'A', 'Player', '2001-05-17', 'Master', 'Physics' from users`,
  );
  venueId = await aVenue(world.db);
  await world.pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 10, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, 20000) n`,
    ["2026-11-21", venueId],
  );
  for (let n = 0; n < 30; n += 1) gameId = await aGame(world.db, { startsIn: 5 + n * 9 });
  for (let n = 0; n < 6; n += 1) await aGame(world.db, { startsIn: 7 + n * 9, venue_id: venueId });
  await world.pool.query("alter table bookings disable trigger bookings_count_seat");
  await world.pool.query(
    `insert into bookings (user_id, game_id, payment_status, created_at)
     select ($1::uuid[])[1 + (g.n * 7 + seat * 11) % 1000], g.id, 'Paid', now()
     from (select id, row_number() over () as n from games) g, generate_series(1, 5) seat`,
    [players],
  );
  await world.pool.query("alter table bookings enable trigger bookings_count_seat");
  await world.pool.query(
    `with entry as (
       insert into wallet_transactions (user_id, type, amount_eur, business_key)
       select ($1::uuid[])[1 + n % 1000], 'topup', 10, 'topup:' || n from generate_series(1, 100000) n
       returning id, user_id
     )
     insert into credit_lots (user_id, source, granted_eur, remaining_eur, transaction_id)
     select user_id, 'pack', 10, case when random() < 0.05 then 10 else 0 end, id from entry`,
    [players],
  );
  await addManyPapers(world.pool, players);
  await world.pool.query("analyze");
});

/** The statements that a read sends, as they are sent. */
async function statementsOf(read: (db: Db) => Promise<unknown>) {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: world.pool }),
    log: ({ query }) => void statements.push(query),
  });
  await read(db);
  return statements.filter(({ sql }) => /^\s*(select|with)/.test(sql));
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** The plan of a statement that this connection has prepared and run often, as in production. */
async function planOf(sql: string, parameters: readonly unknown[]): Promise<Plan[]> {
  const client = await world.pool.connect();
  try {
    await client.query(`prepare read as ${sql}`);
    const literals = parameters.map((value) => pg.escapeLiteral(textOf(value)));
    const execute = `execute read${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
    for (let turn = 0; turn < 7; turn += 1) await client.query(execute);
    const { rows } = await client.query(`explain (format json) ${execute}`);
    return nodes(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    client.release(true);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join()}}` : String(value);
}

// However few rows of one player they hold, all of them grow with the players and the games.
const GROWING = [
  ...["users", "sessions", "games", "bookings", "wallet_transactions", "credit_lots"],
  ...["lot_entries", "payments", "subscriptions", "stripe_customers", "stripe_events"],
  ...["support_messages", "reviews", "withdrawals", "shared_cards", "monthly_game_progress"],
];

/** The growing tables that a statement reads from end to end. */
async function scannedBy({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
  const plan = await planOf(sql, parameters);
  const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan");
  return scanned
    .map((node) => node["Relation Name"] ?? "")
    .filter((table) => GROWING.includes(table));
}

const filter = { outdoor: false, indoor: false, cities: [] as string[] };

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["the games to come", (db) => listUpcomingGames(db, { filter, now: NOW })],
  [
    "the games to come of a city",
    (db) =>
      listUpcomingGames(db, {
        filter: { ...filter, indoor: true, cities: ["Espoo", "Vantaa"] },
        now: NOW,
      }),
  ],
  ["a game", (db) => findGame(db, gameId)],
  ["the venues with their next games", (db) => listVenues(db, { cities: [], now: NOW })],
  ["the venues of some cities", (db) => listVenues(db, { cities: ["Espoo", "Vantaa"], now: NOW })],
  ["a venue with its next games", (db) => findVenue(db, { venueId, now: NOW })],
  ["the cities of the filter", listCities],
  ["the venues of the sitemap", listVenueIds],
  ["who plays", (db) => listAttendees(db, gameId)],
  ["where a player stands", (db) => findStanding(db, { gameId, playerId })],
  ["whether the free session is used", (db) => hasUsedFreeSession(db, playerId)],
  ["a player's next games", (db) => listNextTickets(db, { playerId, now: NOW })],
  ["a player's earlier games", (db) => listEarlierTickets(db, { playerId, now: NOW, limit: 21 })],
  ["the games that a player's card counts", (db) => findEventStats(db, playerId, NOW)],
  ["the address of a player's card", (db) => findShareToken(db, playerId)],
  ["a player's own profile", (db) => findOwnProfile(db, playerId)],
  ["a player's monthly challenge", (db) => findProgress(db, { playerId, now: NOW })],
  ["a player's statement", (db) => listEntries(db, { userId: playerId, limit: 51 })],
  ["a player's lots", (db) => listOpenLots(db, playerId)],
  ["a player's subscriptions", (db) => listSubscriptions(db, playerId)],
  ["a player's public profile", (db) => findPublicProfile(db, playerId)],
  ["purchases to withdraw from", (db) => listPurchases(db, { userId: playerId, now: NOW })],
  ["a player's withdrawals", (db) => listWithdrawals(db, playerId)],
  ["the partners of the front page", listActivePartners],
])("%s", (_, read) => {
  test("is one statement and never reads a whole table that grows", async () => {
    const statements = await statementsOf(read);
    expect(statements).toHaveLength(1);
    for (const statement of statements) expect(await scannedBy(statement)).toEqual([]);
  });
});

const inTransaction = (deed: (tx: Tx) => Promise<unknown>) => (db: Db) =>
  db.transaction().execute(deed);

describe.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["a player's card", 2, (db) => findCard(db, playerId, NOW)],
  ["a shared card", 3, (db) => findSharedCard(db, SHARED_TOKEN, NOW)],
  ["a claim of the reward", 2, (db) => claimReward(db, { playerId, now: NOW })],
  [
    "the limit of letters",
    2,
    inTransaction((tx) => isWithinLimit(tx, "support_messages", playerId, NOW)),
  ],
  ["the limit of reviews", 2, inTransaction((tx) => isWithinLimit(tx, "reviews", playerId, NOW))],
  ["payments that wait for an admin", 3, (db) => listParkedEvents(db, 50)],
  ["all that is kept of a player", 13, (db) => collectPersonalData(db, playerId)],
])("%s", (_, count, read) => {
  test(`is ${count} statements, however many rows, and reads no whole table`, async () => {
    const statements = await statementsOf(read);
    expect(statements).toHaveLength(count);
    for (const statement of statements) expect(await scannedBy(statement)).toEqual([]);
  });
});
