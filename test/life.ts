import type { TestDatabase } from "./db.ts";
import { aFailedMail } from "./failed-mails.ts";
import { aGame, aPlayer, hoursLater, NOW } from "./fixtures.ts";
import { holdsOf } from "./holds.ts";
import { monthlyPurchase, singlePurchase, deliverEvents } from "./payments.ts";
import { waitlistOf } from "./waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markRead } from "#app/features/chat/unread.server.ts";
import { shareCard } from "#app/features/players/cards.server.ts";

/** A player with something of everything. */
export async function aLife(database: TestDatabase, name: string): Promise<string> {
  const { db } = database;
  const userId = await aPlayer(db, { name, credits: 50 });
  await pay(database, userId);
  const gameId = await playWithFriends(database, { userId, name });
  await payByHand(database, userId);
  await goToPay(db, { game_id: gameId, user_id: userId });
  await shareCard(db, userId);
  await turnOnFeed(db, userId);
  await writeTo(database, { gameId, sentAt: hoursLater(1), message: `To ${name}` });
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
  await announceTo(db, userId, name);
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
  await aFailedMail(db, { kind: "account-exists", data: { userId } });
  const { id } = await db
    .selectFrom("payments")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  await decideOnMoney(db, { user_id: userId, payment_id: id });
  const amounts = { credits_eur: "1", amount_eur: "1", stated_at: NOW };
  await db
    .insertInto("withdrawals")
    .values({ ...own, payment_id: id, ...amounts })
    .execute();
  const former_id = await aPlayer(db, { name: "Former" });
  await db
    .insertInto("former_payers")
    .values({ ...own, former_id, address_hash: null })
    .execute();
  return userId;
}

/** What organisers decided about their money. */
async function decideOnMoney(
  db: TestDatabase["db"],
  about: { user_id: string; payment_id: string },
): Promise<void> {
  const event = db.selectFrom("stripe_events").select("id").limit(1);
  const { id: event_id } = await event.executeTakeFirstOrThrow();
  const kept = { payload: "{}", reason: "unknown-player", assigned_at: NOW } as const;
  await db
    .insertInto("payment_assignments")
    .values({ ...about, event_id, ...kept })
    .execute();
  const { user_id } = about;
  const refund = { stripe_object_id: "cs_1", payment_intent_id: "pi_1", currency: "eur" };
  await db
    .insertInto("refunds")
    .values({ id: crypto.randomUUID(), user_id, ...refund, amount: 100, asked_at: NOW })
    .execute();
}

const goToPay = (db: TestDatabase["db"], ids: { game_id: string; user_id: string }) =>
  db
    .insertInto("payment_holds")
    .values({ ...ids, holds_spot: false, shown: "{}", expires_at: NOW })
    .execute();

/** By card, each month, and by a bank that has yet to confirm. */
async function pay(database: TestDatabase, userId: string) {
  const [plan, pack] = [monthlyPurchase(userId), singlePurchase(userId)];
  const { unpaid } = singlePurchase(userId);
  const monthly = [plan.completed, plan.created, plan.paid(0)];
  await deliverEvents(database, [...monthly, pack.completed, unpaid]);
}

/** Their games, of which the first is returned: joined, waited for, with a friend. */
async function playWithFriends(
  database: TestDatabase,
  { userId, name }: { userId: string; name: string },
): Promise<string> {
  const { db } = database;
  const gameId = await aGame(db);
  await writeTo(database, {
    gameId,
    sentAt: hoursLater(-1),
    message: `Before ${name} joined`,
  });
  await joinAs(database, userId, gameId);
  const full = await aGame(db, { startsIn: 90, spots: 1 });
  await joinAs(database, await aPlayer(db, { name: "Holder", credits: 10 }), full);
  await waitlistOf(database).wait(full, userId);
  const holds = holdsOf(database);
  await holds.take(
    gameId,
    await aPlayer(db, { name: "Friend", credits: 10 }),
    await holds.hold(gameId, userId),
  );
  await markRead(db, { gameId, userId, number: 1 });
  await db
    .insertInto("player_blocks")
    .values({ user_id: userId, blocked_id: await aPlayer(db, { name: "Blocked" }) })
    .execute();
  return gameId;
}

export async function joinAs(
  { db, jobs }: TestDatabase,
  playerId: string,
  gameId: string,
): Promise<string> {
  const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

/** An organiser's message to who is in a game. */
export async function writeTo(
  { db }: TestDatabase,
  { gameId: game_id, sentAt: sent_at, message }: { gameId: string; sentAt: Date; message: string },
) {
  const sent_by = await aPlayer(db, { name: "Organiser" });
  const saved = { game_id, sent_by, sent_at, subject: "S", message };
  await db
    .insertInto("game_messages")
    .values({ ...saved, id: crypto.randomUUID() })
    .execute();
}

/** On an organiser's list, and paid at the pitch. */
async function payByHand({ db, jobs }: TestDatabase, playerId: string) {
  const [gameId, actorId] = [await aGame(db), await aPlayer(db, { name: "Organiser" })];
  const payment = { by: "cash", amountCents: 750, method: "MobilePay" } as const;
  await addPlayer(db, jobs, { gameId, playerId, actorId, payment, now: NOW });
}

async function announceTo(db: TestDatabase["db"], user_id: string, name: string) {
  const [id, created_by] = [crypto.randomUUID(), await aPlayer(db, { name: "Organiser" })];
  const text = { subject: "News", message: `To ${name}` };
  const sent = { kind: "news", audience: "everybody", recipients: 1, created_by } as const;
  await db
    .insertInto("announcements")
    .values({ id, ...text, ...sent, created_at: NOW })
    .execute();
  await db.insertInto("announcement_recipients").values({ announcement_id: id, user_id }).execute();
}
