import { beforeAll, describe, expect, test } from "vitest";
import {
  findOwnBookings,
  findViewerGames,
  listAttendees,
  listEarlierTickets,
  listFaces,
  listNextTickets,
} from "#app/features/bookings/bookings.server.ts";
import { sumRefundsOfGame } from "#app/features/organise/cancel-game.server.ts";
import { parseAdminGameFilter, parseGameFilter } from "#app/features/games/filters.ts";
import {
  listAdminGames,
  findPlannedGame,
  listSeries,
  listVenueChoices,
} from "#app/features/games/admin-games.server.ts";
import {
  countActivePlayers,
  countGames,
  countNoShows,
} from "#app/features/reports/metrics.server.ts";
import { listOtherGames } from "#app/features/organise/other-games.server.ts";
import { listRoster } from "#app/features/roster/roster.server.ts";
import { findLineup, listLineupPlayers } from "#app/features/teams/lineups.server.ts";
import { findResult } from "#app/features/teams/record-result.server.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { findGame, listUpcomingGames } from "#app/features/games/games.server.ts";
import { findAdminVenue, venues } from "#app/features/venues/admin-venues.server.ts";
import { searchRows } from "#app/platform/entity.server.ts";
import {
  listVenueNames,
  findVenue,
  listCities,
  listVenueIds,
  listVenues,
} from "#app/features/venues/venues.server.ts";
import { listLegalPages, listLegalVersions } from "#app/features/legal/legal-pages.server.ts";
import { listPartners } from "#app/features/partners/partners.server.ts";
import { collectPersonalData } from "#app/features/privacy/personal-data.server.ts";
import { claimReward, findProgress } from "#app/features/rewards/rewards.server.ts";
import {
  countReviews,
  countOpenTickets,
  listInbox,
  listTicketsOf,
  findTicket,
} from "#app/features/support/inbox.server.ts";
import { lockAndCheckLimit } from "#app/features/support/tickets.server.ts";
import { listPurchases, listWithdrawals } from "#app/features/support/withdrawals.server.ts";
import { sumCredits, sumIncome } from "#app/features/wallet/metrics.server.ts";
import { listUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { listOpenLots } from "#app/features/wallet/lots.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { listSubscriptions } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { writeCursor } from "#app/platform/cursor.server.ts";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { exportEntries, findNamed, listFilterChoices } from "#app/features/audit/entries.server.ts";
import { listAuditEntries } from "#app/features/audit/entries.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import {
  addManyPapers,
  addManyPlayers,
  EACH,
  SHARED_TOKEN,
  scannedTables,
  type Statement,
  statementsSent,
} from "#test/plans.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import {
  findCard,
  findSharedCard,
  findShareToken,
  findStats,
} from "#app/features/players/cards.server.ts";
import {
  countPlayers,
  findOwnProfile,
  findPublicProfile,
} from "#app/features/players/profiles.server.ts";
import { isLong } from "#test/long.ts";

// LONG=1 has a few years of a campus: 1,000 players, 20,000 past games, 100,000 bookings and as many
// entries and lots of their wallets; otherwise a tenth of the games, whose plans are the same.
const GAMES = isLong ? 20_000 : 2_000;
const SEATS = 5;
const database = useDatabase();
withoutTimeouts(database);
let playerId: string;
let gameId: string;
const upcomingIds: string[] = [];
let venueId: string;

beforeAll(async () => {
  const players = await addManyPlayers(database.pool, 1_000);
  playerId = players[7]!;
  venueId = await aVenue(database.db);
  await database.pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 10, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  for (let n = 0; n < 30; n += 1) {
    gameId = await aGame(database.db, { startsIn: 5 + n * 9 });
    upcomingIds.push(gameId);
  }
  for (let n = 0; n < 6; n += 1)
    await aGame(database.db, { startsIn: 7 + n * 9, venue_id: venueId });
  await database.pool.query("alter table bookings disable trigger bookings_count_seat");
  await database.pool.query(
    `insert into bookings (user_id, game_id, payment_status, created_at)
     select ($1::uuid[])[1 + (g.n * 7 + seat * 11) % 1000], g.id, 'Paid', now()
     from (select id, row_number() over () as n from games) g, generate_series(1, ${SEATS}) seat`,
    [players],
  );
  await database.pool.query("alter table bookings enable trigger bookings_count_seat");
  await database.pool.query(
    `with entry as (
       insert into wallet_transactions (user_id, type, amount_eur, business_key)
       select ($1::uuid[])[1 + n % 1000], 'topup', 10, 'topup:' || n from generate_series(1, ${GAMES * SEATS}) n
       returning id, user_id
     )
     insert into credit_lots (user_id, source, granted_eur, remaining_eur, transaction_id)
     select user_id, 'pack', 10, case when random() < 0.05 then 10 else 0 end, id from entry`,
    [players],
  );
  await database.pool.query(
    `insert into game_messages (id, game_id, sent_by, subject, message, sent_at)
     select gen_random_uuid(), id, $1, 'Shirts', 'Bring a white one.', now() from games`,
    [playerId],
  );
  await addManyPapers(database.pool, players);
  await database.pool.query("analyze");
});

// However few rows of one player they hold, all of them grow with the players and the games.
const GROWING = [
  ...["users", "sessions", "games", "bookings", "wallet_transactions", "credit_lots"],
  ...["lot_entries", "payments", "subscriptions", "stripe_customers", "stripe_events"],
  ...["support_messages", "reviews", "withdrawals", "shared_cards", "monthly_game_progress"],
  ...["legal_page_versions", "game_messages", "payment_holds", "pending_payments"],
];

/** The growing tables that a statement reads from end to end. */
const scannedBy = (statement: Statement, growing = GROWING) =>
  scannedTables(database.pool, statement, growing);
const statementsOf = (read: (db: Db) => Promise<unknown>) => statementsSent(database.pool, read);

const weeks = weeksUntil(NOW, 12);
const narrow = parseGameFilter(new URLSearchParams("city=Espoo&time=Morning&level=Relaxed"));

/** A page of admin's games, from some row on where it is wanted. */
const readAdminPage =
  (query: string, after: string | null = null) =>
  (db: Db) => {
    const filter = parseAdminGameFilter(new URLSearchParams(query));
    return listAdminGames(db, { filter, now: NOW, after, limit: 50 });
  };
// The last of all games, a hundred years on.
const MONTH_AGO = new Date(NOW.getTime() - 30 * 86_400_000);
const MONTH = { from: MONTH_AGO, to: NOW, after: { micros: "1", id: 1 } };
const AFTER = writeCursor(["4900000000000000", "00000000-0000-4000-8000-000000000000"]);

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["the games to come", (db) => listUpcomingGames(db, { now: NOW })],
  [
    "the games to come by every filter",
    (db) => listUpcomingGames(db, { filter: narrow, now: NOW }),
  ],
  ["a game", (db) => findGame(db, gameId, NOW)],
  ["admin's games to come", readAdminPage("")],
  ["admin's games of the past", readAdminPage("when=past")],
  ["all of admin's games", readAdminPage("when=all")],
  ["a later page of them", readAdminPage("when=all", AFTER)],
  ["admin's drafts", readAdminPage("when=all&status=Draft")],
  ["admin's games of a city", readAdminPage("when=past&city=Espoo")],
  ["admin's games of a venue", (db) => readAdminPage(`when=past&venue=${venueId}`, AFTER)(db)],
  ["a game in admin", (db) => findPlannedGame(db, gameId)],
  ["the games of a series", (db) => listSeries(db, gameId)],
  ["the last game of each venue", listVenueChoices],
  ["what a cancelled game gave back", (db) => sumRefundsOfGame(db, gameId)],
  [
    "the venues with their next games",
    (db) => listVenues(db, { cities: [], now: NOW, held: heldNow(NOW) }),
  ],
  [
    "the venues of some cities",
    (db) => listVenues(db, { cities: ["Espoo", "Vantaa"], now: NOW, held: heldNow(NOW) }),
  ],
  ["a venue with its next games", (db) => findVenue(db, { venueId, now: NOW, held: heldNow(NOW) })],
  ["admin's venues", (db) => searchRows(db, venues, { search: "hall", after: null, limit: 50 })],
  ["a venue in admin", (db) => findAdminVenue(db, venueId)],
  ["the cities of the filter", listCities],
  ["the venues of the sitemap", listVenueIds],
  ["the names of all venues", listVenueNames],
  ["who plays", (db) => listAttendees(db, gameId)],
  ["a game's roster", (db) => listRoster(db, { gameId, now: new Date() })],
  ["a game's teams", (db) => findLineup(db, gameId)],
  ["who is to be in teams", (db) => listLineupPlayers(db, gameId)],
  ["a game's result", (db) => findResult(db, gameId)],
  ["a player's participation", (db) => findOwnBookings(db, { gameId, playerId })],
  ["the games of the list's viewer", (db) => findViewerGames(db, { playerId, now: NOW })],
  ["the faces of a list of games", (db) => listFaces(db, upcomingIds)],
  ["games near one that is off", (db) => listOtherGames(db, { gameId, playerId, now: NOW })],
  ["a player's next games", (db) => listNextTickets(db, { playerId, now: NOW })],
  ["a player's earlier games", (db) => listEarlierTickets(db, { playerId, now: NOW, limit: 21 })],
  [
    "a player's earlier games further on",
    (db) => listEarlierTickets(db, { playerId, now: NOW, after: gameId, limit: 21 }),
  ],
  ["what a player's games count up to", (db) => findStats(db, playerId, NOW)],
  ["the address of a player's card", (db) => findShareToken(db, playerId)],
  ["a player's own profile", (db) => findOwnProfile(db, playerId)],
  ["a player's monthly challenge", (db) => findProgress(db, { playerId, now: NOW })],
  ["a player's statement", (db) => listEntries(db, { userId: playerId, limit: 51 })],
  ["a player's lots", (db) => listOpenLots(db, playerId)],
  ["a player's subscriptions", (db) => listSubscriptions(db, playerId)],
  ["a player's public profile", (db) => findPublicProfile(db, playerId)],
  ["purchases to withdraw from", (db) => listPurchases(db, { userId: playerId, now: NOW })],
  ["a player's withdrawals", (db) => listWithdrawals(db, playerId)],
  ["the partners in admin", listPartners],
  ["the legal pages in admin", listLegalPages],
  [
    "the former texts of a legal page",
    (db) => listLegalVersions(db, { type: "terms", before: 900, limit: 51 }),
  ],
  ["the games of a quarter", (db) => countGames(db, { weeks, venueId: null, now: NOW })],
  ["the games of a venue in a quarter", (db) => countGames(db, { weeks, venueId, now: NOW })],
  ["a quarter's players", (db) => countActivePlayers(db, { weeks, venueId: null, now: NOW })],
  ["a quarter's players at a venue", (db) => countActivePlayers(db, { weeks, venueId, now: NOW })],
  ["a quarter's no-shows", (db) => countNoShows(db, { weeks, venueId: null, now: NOW })],
  ["a quarter's no-shows at a venue", (db) => countNoShows(db, { weeks, venueId, now: NOW })],
  ["a quarter's new players", (db) => countPlayers(db, { weeks, now: NOW })],
  ["a quarter's income", (db) => sumIncome(db, { weeks, now: NOW })],
  ["a quarter's credits", (db) => sumCredits(db, { weeks, now: NOW })],
  ["a quarter's reviews", (db) => countReviews(db, { weeks, now: NOW })],
])("%s", (_, read) => {
  test("is one statement and never reads a whole table that grows", async () => {
    const statements = await statementsOf(read);
    expect(statements).toHaveLength(1);
    for (const statement of statements) expect(await scannedBy(statement)).toEqual([]);
  });
});

const ANYTHING = { kind: null, status: null };
const ANYBODY = { actor: null, action: null, subject: null };
const readAudit = (narrowed: object, before: number | null) => (db: Db) =>
  listAuditEntries(db, { filter: { ...ANYBODY, ...narrowed }, before, limit: 51 });

describe.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["the inbox", 1, (db) => listInbox(db, { filter: ANYTHING, after: null, limit: 50 })],
  ["a later page of it", 1, (db) => listInbox(db, { filter: ANYTHING, after: AFTER, limit: 50 })],
  ["what a player has written", 1, (db) => listTicketsOf(db, playerId, 3)],
  ["how many tickets are open", 1, (db) => countOpenTickets(db, 100)],
  ["a ticket that does not exist", 2, (db) => findTicket(db, playerId)],
  ["the log", 1, readAudit({}, null)],
  ["a later page of it", 1, readAudit({}, EACH / 2)],
  ["one admin's entries", 1, readAudit({ actor: "command" }, EACH / 2)],
  ["one kind of entry", 1, readAudit({ action: "action.7" }, EACH / 2)],
  ["what was done to one player", 1, (db) => readAudit({ subject: playerId }, null)(db)],
  ["whose history that is", 1, (db) => findNamed(db, playerId)],
  ["who has done what", 2, listFilterChoices],
  ["the entries of a month", 1, (db) => exportEntries(db, { ...MONTH, limit: 1_000 })],
])("%s", (_, count, read) => {
  test(`is ${count} statements, however many tickets and log entries there are`, async () => {
    const statements = await statementsOf(read);
    expect(statements).toHaveLength(count);
    const growing = [...GROWING, "letter_answers", "audit_log"];
    for (const statement of statements) expect(await scannedBy(statement, growing)).toEqual([]);
  });
});

describe.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["a player's card", 2, (db) => findCard(db, playerId, NOW)],
  ["a shared card", 3, (db) => findSharedCard(db, SHARED_TOKEN, NOW)],
  ["a claim of the reward", 2, (db) => claimReward(db, { playerId, now: NOW })],
  ...(["support_messages", "reviews"] as const).map(
    (table): [string, number, (db: Db) => Promise<unknown>] => [
      ...([`the limit of ${table}`, 2] as const),
      (db) => db.transaction().execute((tx) => lockAndCheckLimit(tx, table, playerId, NOW)),
    ],
  ),
  ["payments that wait for an admin", 4, (db) => listUnmatchedEvents(db, 50)],
  ["all that is kept of a player", 32, (db) => collectPersonalData(db, playerId)],
])("%s", (_, count, read) => {
  test(`is ${count} statements, however many rows, and reads no whole table`, async () => {
    const statements = await statementsOf(read);
    expect(statements).toHaveLength(count);
    for (const statement of statements) expect(await scannedBy(statement)).toEqual([]);
  });
});
