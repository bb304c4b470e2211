import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { monthlyPurchase, singlePurchase, somePacks, tell } from "#test/payments.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { holdsOf } from "#test/holds.ts";
import { teamsOf } from "#test/teams.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/bookings/add-player.server.ts";
import { findFeedToken, turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markRead } from "#app/features/chat/unread.server.ts";
import { shareCard } from "#app/features/players/cards.server.ts";
import { collectPersonalData } from "./personal-data.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

async function join(playerId: string, gameId: string): Promise<string> {
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

/** An organiser's message to who is in a game. */
async function writeTo(game_id: string, sent_at: Date, message: string) {
  const sent_by = await aPlayer(database.db, { name: "Organiser" });
  const saved = { game_id, sent_by, sent_at, subject: "S", message };
  await database.db
    .insertInto("game_messages")
    .values({ ...saved, id: crypto.randomUUID() })
    .execute();
}

/** On an organiser's list, and paid at the pitch. */
async function payByHand(playerId: string) {
  const { db, jobs } = database;
  const [gameId, actorId] = [await aGame(db), await aPlayer(db, { name: "Organiser" })];
  const payment = { by: "cash", amountCents: 750, method: "MobilePay" } as const;
  await addPlayer(db, jobs, { gameId, playerId, actorId, payment, now: NOW });
}

/** A player with something of everything. */
async function aLife(name: string): Promise<string> {
  const userId = await aPlayer(database.db, { name, credits: 50 });
  const { db } = database;
  const plan = monthlyPurchase(userId);
  const pack = singlePurchase(userId);
  await tell(database.db, [plan.completed, plan.created, plan.paid(0), pack.completed]);
  const gameId = await aGame(database.db);
  await writeTo(gameId, hoursLater(-1), `Before ${name} joined`);
  await join(userId, gameId);
  const full = await aGame(database.db, { startsIn: 90, spots: 1 });
  await join(await aPlayer(database.db, { name: "Holder", credits: 10 }), full);
  await waitlistOf(database).wait(full, userId);
  const holds = holdsOf(database);
  await holds.take(
    gameId,
    await aPlayer(database.db, { name: "Friend", credits: 10 }),
    await holds.hold(gameId, userId),
  );
  await payByHand(userId);
  await markRead(database.db, { gameId, userId, number: 1 });
  await db
    .insertInto("player_blocks")
    .values({ user_id: userId, blocked_id: await aPlayer(database.db, { name: "Blocked" }) })
    .execute();
  await shareCard(database.db, userId);
  await turnOnFeed(database.db, userId);
  await writeTo(gameId, hoursLater(1), `To ${name}`);
  const own = { user_id: userId };
  await db
    .insertInto("sessions")
    .values({ ...own, token: `secret-${name}`, expires_at: NOW })
    .execute();
  await db
    .insertInto("notification_settings")
    .values({ ...own, kind: "soon", email: false })
    .execute();
  await db
    .insertInto("notifications_sent")
    .values({ ...own, kind: "soon", subject: `game of ${name}`, sent_at: NOW })
    .execute();
  await db
    .insertInto("push_subscriptions")
    .columns(["user_id", "session_id", "endpoint", "p256dh", "auth", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("sessions")
        .where("token", "=", `secret-${name}`)
        .select(["user_id", "id", eb.val(`https://push/secret-${name}`).as("endpoint")])
        .select([eb.val(`secret-${name}`).as("p256dh"), eb.val(`secret-${name}`).as("auth")])
        .select("created_at"),
    )
    .execute();
  await db
    .insertInto("accounts")
    .values({ ...own, account_id: name, provider_id: "x", password: `hash-${name}` })
    .execute();
  await db
    .insertInto("second_factors")
    .values({ ...own, secret: `secret-${name}`, last_step: 0 })
    .execute();
  await db
    .insertInto("recovery_codes")
    .values({ ...own, code_hash: `hash-${name}` })
    .execute();
  await db
    .insertInto("monthly_game_progress")
    .values({ ...own, month_year: "2026-11" })
    .execute();
  await db
    .insertInto("support_messages")
    .values({ ...own, subject: "S", message: name })
    .execute();
  await db
    .insertInto("reviews")
    .values({ ...own, rating: 3, comment: name })
    .execute();
  await aFailedMail(database.db, { queue: "mail.account-exists", data: { userId } });
  const { id } = await db
    .selectFrom("payments")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const amounts = { credits_eur: "1", amount_eur: "1", stated_at: NOW };
  await db
    .insertInto("withdrawals")
    .values({ ...own, payment_id: id, ...amounts })
    .execute();
  const former_id = await aPlayer(database.db, { name: "Former" });
  await db
    .insertInto("former_payers")
    .values({ ...own, former_id, address_hash: null })
    .execute();
  return userId;
}

test("the export has all of the player's data and nobody else's", async () => {
  const [mine, other] = [await aLife("Mine"), await aLife("Other")];
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
  const bookingId = await join(userId, gameId);
  await writeTo(gameId, hoursLater(1), "While in");
  const cancellation = { bookingId, playerId: userId, now: hoursLater(2) };
  await cancelBooking(database.db, database.jobs, cancellation);
  await writeTo(gameId, hoursLater(3), "Too late");
  const { "game-messages": messages } = await collectPersonalData(database.db, userId);
  expect(messages).toMatchObject([{ message: "While in" }]);
});

test("the export says in which team the player was, and in which bibs", async () => {
  const teams = teamsOf(database);
  const { gameId, players } = await teams.aGameOf(4);
  await teams.make(gameId);
  const own = await Promise.all(players.map((id) => collectPersonalData(database.db, id)));
  const told = own.map(({ bookings }) => bookings![0] as { team: number; team_bib: string });
  expect(told.map(({ team, team_bib }) => `${team} ${team_bib}`).toSorted()).toEqual([
    ...["1 Yellow", "1 Yellow", "2 Blue", "2 Blue"],
  ]);
});

// What these hold is covered by others: the account by the profile, how many recovery codes are left
// by the second factor.
const TOLD_ELSEWHERE = ["accounts", "user_roles", "stripe_customers", "recovery_codes"];
const TOLD: Record<string, string> = {
  profiles: "profile",
  sessions: "sessions",
  second_factors: "second-factor",
  notification_settings: "notification-settings",
  notifications_sent: "notifications-sent",
  push_subscriptions: "push-devices",
  bookings: "bookings",
  player_blocks: "blocked-players",
  chat_members: "chats-read",
  chat_messages: "chat-messages",
  waitlist_entries: "waitlist-entries",
  friend_holds: "friend-holds",
  wallet_transactions: "wallet-transactions",
  credit_lots: "credit-lots",
  former_payers: "former-accounts",
  payments: "payments",
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
  const tables = rows.map(({ name }) => name).filter((name) => !TOLD_ELSEWHERE.includes(name));
  expect(tables).toEqual(Object.keys(TOLD).toSorted());
  const data = await collectPersonalData(database.db, crypto.randomUUID());
  for (const part of Object.values(TOLD)) expect(data[part], part).toEqual([]);
});

// Made of the others for the search, and null as long as there is anybody to ask.
const OURS = ["deleted_at", "search_words", "sort_name"];

test("a profile is exported with all of its columns but our own", async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'profiles'`.execute(database.db);
  const ownColumns = rows.map(({ name }) => name).filter((name) => !OURS.includes(name));
  const { profile } = await collectPersonalData(database.db, await aPlayer(database.db));
  const names = Object.keys(profile![0]!);
  expect(names).toEqual(expect.arrayContaining(ownColumns));
  for (const name of OURS) expect(names).not.toContain(name);
});
