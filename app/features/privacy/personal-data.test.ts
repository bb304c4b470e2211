import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { aLife, joinAs, writeTo } from "#test/life.ts";
import { somePacks } from "#test/payments.ts";
import { teamsOf } from "#test/teams.ts";
import { findFeedToken } from "#app/features/bookings/calendar-feeds.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { excuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import { collectPersonalData } from "./personal-data.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

test("the export has all of the player's data and nobody else's", async () => {
  const [mine, other] = [await aLife(database, "Mine"), await aLife(database, "Other")];
  const data = await collectPersonalData(database.db, mine);
  for (const [name, rows] of Object.entries(data)) expect(rows.length, name).toBeGreaterThan(0);
  const text = JSON.stringify(data);
  expect(text).toContain(mine);
  expect(text).not.toContain(other);
  expect(text).not.toContain("Other");
  expect(text).not.toContain("secret-");
  expect(text).not.toContain("hash-");
  expect(text).not.toContain("Organiser");
  expect(text).not.toContain("Friend");
  expect(text).not.toContain('Blocked"');
  expect(data["friend-holds"]).toMatchObject([{ role: "held", status: "Taken" }]);
  expect(text).not.toContain((await findFeedToken(database.db, mine))!);
  expect(data["wallet-transactions"]).toHaveLength(4);
  expect(data["game-messages"]).toMatchObject([{ message: "To Mine" }]);
  expect(data["cash-payments"]).toMatchObject([{ amount_eur: "7.50", method: "MobilePay" }]);
  expect(data["cash-payments"]![0]).not.toHaveProperty("noted_by");
});

test("the export has only messages sent while the player was in the game", async () => {
  const [userId, gameId] = [await aPlayer(database.db, { credits: 50 }), await aGame(database.db)];
  const bookingId = await joinAs(database, userId, gameId);
  await writeTo(database, { gameId: gameId, sentAt: hoursLater(1), message: "While in" });
  const cancellation = { bookingId, playerId: userId, now: hoursLater(2) };
  await cancelBooking(database.db, database.jobs, cancellation);
  await writeTo(database, { gameId: gameId, sentAt: hoursLater(3), message: "Too late" });
  const { "game-messages": messages } = await collectPersonalData(database.db, userId);
  expect(messages).toMatchObject([{ message: "While in" }]);
});

test("the export says in which team the player was, and in which bibs, once it is published", async () => {
  const teams = teamsOf(database);
  const { gameId, players } = await teams.aGameOf(4);
  await teams.make(gameId);
  const exportedTeams = async () => {
    const own = await Promise.all(players.map((id) => collectPersonalData(database.db, id)));
    const rows = own.map(({ bookings }) => bookings![0] as { team: number; team_bib: string });
    return rows.map(({ team, team_bib }) => `${team} ${team_bib}`).toSorted();
  };
  expect(new Set(await exportedTeams())).toEqual(new Set(["null null"]));
  await teams.publish(gameId);
  expect(await exportedTeams()).toEqual(["1 Yellow", "1 Yellow", "2 Blue", "2 Blue"]);
});

test("the export has the note of an excused no-show, and not who wrote it", async () => {
  const { db } = database;
  const [playerId, actorId] = [await aPlayer(db, { credits: 20 }), await aPlayer(db)];
  const gameId = await aGame(db, { startsIn: 1 });
  const bookingId = await joinAs(database, playerId, gameId);
  const mark = { gameId, bookingId, actorId, from: null, to: "NoShow" as const };
  await markAttendance(db, { ...mark, now: hoursLater(1) });
  await excuseNoShow(db, { bookingId, playerId, actorId, note: "Broke a leg", now: NOW });
  const data = await collectPersonalData(db, playerId);
  const excuse = { attendance: "NoShow", no_show_excuse: "Broke a leg", no_show_excused_at: NOW };
  expect(data["bookings"]).toMatchObject([excuse]);
  expect(JSON.stringify(data)).not.toContain(actorId);
});

// What these hold is covered by others: the account by the profile, how many recovery codes are left
// by the second factor.
const EXPORTED_ELSEWHERE = ["accounts", "user_roles", "stripe_customers", "recovery_codes"];
const EXPORTED: Record<string, string> = {
  profiles: "profile",
  sessions: "sessions",
  second_factors: "second-factor",
  notification_settings: "notification-settings",
  notifications_sent: "notifications-sent",
  announcement_recipients: "announcements",
  push_subscriptions: "push-devices",
  bookings: "bookings",
  player_blocks: "blocked-players",
  chat_members: "chats-read",
  chat_messages: "chat-messages",
  waitlist_entries: "waitlist-entries",
  friend_holds: "friend-holds",
  payment_holds: "payment-holds",
  wallet_transactions: "wallet-transactions",
  credit_lots: "credit-lots",
  former_payers: "former-accounts",
  payment_assignments: "payment-assignments",
  refunds: "refunds",
  payments: "payments",
  pending_payments: "pending-payments",
  stripe_events: "payment-events",
  monthly_game_progress: "monthly-challenges",
  shared_cards: "shared-cards",
  calendar_feeds: "calendar-feed",
  support_messages: "messages",
  reviews: "reviews",
  withdrawals: "withdrawals",
};

test("no table that belongs to players is left out", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by 1`.execute(database.db);
  const tables = rows.map(({ name }) => name).filter((name) => !EXPORTED_ELSEWHERE.includes(name));
  expect(tables).toEqual(Object.keys(EXPORTED).toSorted());
  const data = await collectPersonalData(database.db, crypto.randomUUID());
  for (const part of Object.values(EXPORTED)) expect(data[part], part).toEqual([]);
});

// Made of the others for the search, and null as long as there is anybody to ask.
const NOT_EXPORTED = ["deleted_at", "search_words", "sort_name"];

test("a profile is exported with all of its columns but our own", async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'profiles'`.execute(database.db);
  const ownColumns = rows.map(({ name }) => name).filter((name) => !NOT_EXPORTED.includes(name));
  const { profile } = await collectPersonalData(database.db, await aPlayer(database.db));
  const names = Object.keys(profile![0]!);
  expect(names).toEqual(expect.arrayContaining(ownColumns));
  for (const name of NOT_EXPORTED) expect(names).not.toContain(name);
});
