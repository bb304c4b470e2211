import { beforeEach, expect, test } from "vitest";
import { addAccount, addSignUp } from "./accounts.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { aGameToDecide, DECISION } from "./decisions.ts";
import { ben, bookingsOf, hoursLater, NOW } from "./fixtures.ts";
import { mailJobs, pushSender } from "./notices.ts";
import { aBooking } from "./notifications.ts";
import { aFormerJob } from "./old-rows.ts";
import { somePacks } from "./payments.ts";
import { aDevice, openPushService } from "./push-service.ts";
import { waitlistOf } from "./waitlist.ts";
import { aBuyer, withdraw } from "./withdrawals.ts";
import { issueConfirmation, issueLink } from "#app/features/accounts/mail-links.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { decideGame } from "#app/features/organise/decide-games.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { NoticeKind } from "#app/platform/notices.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { adoptFormerMails } from "#app/platform/waiting-mails.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
let now = NOW;
beforeEach(() => {
  sent.length = 0;
  now = NOW;
});

/** Puts each job into its former queue, and returns the subject of the email sent today. */
async function subjectsOf(jobs: [queue: string, data: object][]) {
  const tools = {
    ...testApp(database, () => now),
    mailer: async (mail: Mail) => void sent.push(mail),
  };
  await database.pool.query("delete from pgboss.job");
  for (const [queue, data] of jobs) await aFormerJob(database.pool, queue, data);
  await adoptFormerMails(database.db, QUEUES);
  const subjects = [];
  for (const [queue, data] of jobs) {
    const kind = "kind" in data ? data.kind : queue.slice("mail.".length);
    const { rows } = await database.pool.query<{ data: { kind: NoticeKind } }>(
      "delete from pgboss.job where name = 'mail.send' and data = $1::jsonb returning data",
      [{ ...data, kind }],
    );
    expect(rows, queue).toHaveLength(1);
    const already = sent.length;
    const { kind: today, ...rest } = rows[0]!.data;
    await mailJobs(tools)[today](rest as never);
    subjects.push(sent.length > already ? sent.at(-1)!.subject : null);
  }
  expect((await database.pool.query("select from pgboss.job")).rowCount).toBe(0);
  return subjects;
}

const insert = async (text: string, values: unknown[]) =>
  (await database.pool.query<{ id: string }>(`insert into ${text} returning id`, values)).rows[0]!
    .id;

test("emails about bookings and games that an earlier version queued are sent as they were", async () => {
  const { db, jobs } = database;
  const { bookingId, playerId, gameId } = await aBooking(database, { startsIn: 30 });
  const version = String(hoursLater(30).getTime() / 1_000);
  const game = { date: "2026-11-22", startTime: "18:00", endTime: "19:30", maxPlayers: 10 };
  const plan = { ...game, venueId: gameId, isFirstSessionFree: false };
  const message = "game_messages (id, game_id, sent_by, subject, message, sent_at)";
  const values = `${message} values (gen_random_uuid(), $1, $2, 'Shoes', 'Two pairs', $3)`;
  const messageId = await insert(values, [gameId, playerId, NOW]);
  const change = { bookingId, version: 2, before: plan, after: { ...plan, maxPlayers: 8 } };
  expect(
    await subjectsOf([
      ["mail.booking-confirmed", { bookingId }],
      ["mail.waitlist-booked", { bookingId }],
      ["mail.added-to-game", { bookingId }],
      ["mail.reminder", { bookingId, kind: "day-before", version }],
      ["mail.reminder", { bookingId, kind: "soon", version }],
      ["mail.reminder", { bookingId, kind: "soon", version: "1" }],
      ["mail.game-changed", change],
      ["mail.game-message", { bookingId, messageId }],
    ]),
  ).toEqual([
    "You're in: Sun 18:00, Nov 22",
    "You're in: Sun 18:00, Nov 22",
    "You're on the list: Sun 18:00, Nov 22",
    "Reminder: Sun 18:00, Nov 22",
    "See you at Sun 18:00, Nov 22",
    null,
    "Game changed: Sun 18:00, Nov 22",
    "Shoes",
  ]);
  await cancelBooking(db, jobs, { bookingId, playerId, now: NOW });
  expect(
    await subjectsOf([
      ["mail.booking-cancelled", { bookingId, isFreeSessionBack: false }],
      ["mail.removed-from-game", { bookingId, isFreeSessionBack: true }],
      ["mail.late-refund", { bookingId }],
      ["mail.booking-confirmed", { bookingId }],
    ]),
  ).toEqual([
    "Booking cancelled: Sun 18:00, Nov 22",
    "You're no longer in: Sun 18:00, Nov 22",
    "9.01 credits are back: Sun 18:00, Nov 22",
    null,
  ]);
});

test("emails about decisions that an earlier version queued are sent as they were", async () => {
  const { db, jobs } = database;
  const { gameId } = await aGameToDecide(database, 1, {});
  const decidesAt = DECISION.toISOString();
  const [booking] = await bookingsOf(db, gameId);
  const bookingId = booking!.id;
  const warning: [string, object] = ["mail.too-few-players", { gameId, decidesAt }];
  expect(await subjectsOf([warning])).toEqual(["Too few players: Sat 22:00, Nov 21"]);
  await decideGame(db, jobs, { gameId, now: DECISION });
  now = DECISION;
  expect(
    await subjectsOf([
      ["mail.called-off", { gameId, players: 1 }],
      ["mail.game-cancelled", { bookingId }],
      ["mail.played-anyway", { bookingId, version: 3 }],
    ]),
  ).toEqual(["Called off: Sat 22:00, Nov 21", "Game cancelled: Sat 22:00, Nov 21", null]);
});

test("emails about waitlists that an earlier version queued are sent as they were", async () => {
  const list = waitlistOf(database);
  const { gameId } = await list.fullGame({ startsIn: 60 });
  const entryId = await list.wait(gameId, await ben(database.db), { mode: "ask" });
  const update = (set: string, ...values: unknown[]) =>
    database.pool.query(`update waitlist_entries set ${set} where id = $1`, [entryId, ...values]);
  await update("needs_consent = true");
  const toldAt = NOW.toISOString();
  expect(
    await subjectsOf([
      ["mail.passed-over", { entryId, reason: "busy", toldAt }],
      ["mail.offer-missed", { entryId }],
      ["mail.waitlist-changed", { entryId }],
    ]),
  ).toEqual([
    "A spot opened, and you could not have it: Tue 00:00, Nov 24",
    "Your offer is over: Tue 00:00, Nov 24",
    "Still want a spot? The game has changed: Tue 00:00, Nov 24",
  ]);
  await database.pool.query("update games set max_players = 2 where id = $1", [gameId]);
  await update("status = 'Offered', offer_expires_at = $2", hoursLater(2));
  const offer: [string, object] = [
    "mail.spot-offered",
    { entryId, expiresAt: hoursLater(2).toISOString() },
  ];
  expect(await subjectsOf([offer])).toEqual(["A spot for you until Sat 14:00: Tue 00:00, Nov 24"]);
  await update(
    "status = 'Lapsed', offer_expires_at = null, ended_at = now(), end_reason = 'Removed'",
  );
  expect(await subjectsOf([["mail.waitlist-ended", { entryId }]])).toEqual([
    "No longer on the waitlist: Tue 00:00, Nov 24",
  ]);
});

test("emails about accounts that an earlier version queued are sent as they were", async () => {
  const { db, jobs } = database;
  now = new Date();
  const app = testApp(database);
  const { userId } = await addAccount(app);
  const { signUpId, email } = await addSignUp(app);
  const tokens = await db.transaction().execute(async (tx) => ({
    confirm: await issueConfirmation(tx, { signUpId, mailbox: email }, now),
    reset: await issueLink(tx, "reset", userId, now),
  }));
  const [at, key] = [NOW.toISOString(), crypto.randomUUID()];
  await correctBalance(db, jobs, {
    userId,
    amountCents: 500,
    reason: "Sorry",
    actor: "command",
    key,
  });
  const expires = new Date(Math.ceil(now.getTime() / 1_000) * 1_000 + 48 * 3_600_000);
  await database.pool.query("update credit_lots set expires_at = $2 where user_id = $1", [
    userId,
    expires,
  ]);
  const subjects = await subjectsOf([
    ["mail.confirm-address", { signUpId, token: tokens.confirm!.token }],
    ["mail.reset-password", { userId, token: tokens.reset, gameId: null }],
    ["mail.account-exists", { userId }],
    ["mail.password-changed", { userId, at }],
    ["mail.account-suspended", { userId, at }],
    ["mail.suspension-lifted", { userId, at }],
    ["mail.account-security", { userId, change: "two-factor-on", eventId: "1" }],
    ["mail.balance-corrected", { userId, key }],
    ["mail.credits-expiring", { userId, version: String(expires.getTime() / 1_000) }],
  ]);
  expect(subjects.pop()).toMatch(/^Use 5 credits by /);
  expect(subjects).toEqual([
    "Confirm your email for Kickabout",
    "Choose a new password for Kickabout",
    "You already have an account at Kickabout",
    "Your password was changed",
    "Your Kickabout account is suspended",
    "Your Kickabout account is open again",
    "Two-factor sign-in is on for your Kickabout account",
    "You were given 5 credits",
  ]);
});

test("emails of the inbox that an earlier version queued are sent as they were", async () => {
  await somePacks(database.db);
  const buyer = await aBuyer(database);
  const stated = await withdraw(database, buyer);
  const { withdrawalId } = stated!;
  const user = [buyer.userId];
  const messageId = await insert(
    "support_messages (user_id, subject, message) values ($1, 'Lost shoe', 'Where?')",
    user,
  );
  const reviewId = await insert("reviews (user_id, rating) values ($1, 4)", user);
  const answerId = await insert(
    `letter_answers (id, message_id, answer, answered_by, answered_at)
     values (gen_random_uuid(), '${messageId}', 'Here', $1, now())`,
    user,
  );
  const replyId = await insert(
    "ticket_replies (answer_id, body, mail_key, created_at) values ($1, 'Thanks', 'key', now())",
    [answerId],
  );
  await database.pool.query(
    `update withdrawals set outcome = 'refused', refusal_reason = 'Late', ended_at = now(),
       refused_by = $1 where id = $2`,
    [buyer.userId, withdrawalId],
  );
  expect(
    await subjectsOf([
      ["mail.support-message", { messageId }],
      ["mail.review", { reviewId }],
      ["mail.answer", { answerId }],
      ["mail.ticket-reply", { replyId }],
      ["mail.withdrawal", { withdrawalId }],
      ["mail.withdrawal-ended", { withdrawalId }],
      ["mail.withdrawal-ended", { withdrawalId, to: "contact" }],
    ]),
  ).toEqual([
    "Support: Lost shoe",
    "Review: 4 of 5",
    "Lost shoe",
    "Reply: Lost shoe",
    "We received your withdrawal: Single game",
    "Your withdrawal was rejected: Single game",
    "Withdrawal rejected: do not refund 9.99\u00a0€",
  ]);
});

test("a push message of a cancelled game that an earlier version queued is sent as it was", async () => {
  const service = await openPushService();
  const { bookingId, playerId, gameId } = await aBooking(database, { startsIn: 40 });
  const { id: subscriptionId } = await aDevice(database.db, playerId, `${service.origin}/phone`);
  await cancelGame(database.db, database.jobs, { gameId, now: NOW });
  const send = pushSender(testApp(database, () => NOW));
  const job = { subscriptionId, kind: "game-changed", subjectId: bookingId } as const;
  await send({ ...job, version: "cancelled" });
  // Versions of an edit before, and of a decision to play with too few.
  for (const version of ["2", "on-3"]) await send({ ...job, version });
  expect(service.pushed).toHaveLength(1);
  await service.close();
});
