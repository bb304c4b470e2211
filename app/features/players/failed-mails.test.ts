import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { collectPersonalData } from "#app/features/privacy/personal-data.server.ts";
import {
  countFailedMails,
  deleteFailedMails,
  listFailedMails,
  type MailId,
} from "./failed-mails.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));
beforeEach(() => database.pool.query("delete from pgboss.job"));

const give = <K extends NoticeKind>(kind: K, data: NoticeData[K]) =>
  aFailedMail(database.db, { kind, data, queuedAt: NOW });
const list = () => listFailedMails(database.db, { now: NOW, limit: 50 });

/** These lead to no account. */
type Nobodys = "signUpId" | "gameId" | "eventId" | "announcementId";

/** A player with one given-up mail for each way in which a job names whom it is about. */
async function aPlayerWithMails(name: string) {
  const { db, pool } = database;
  const userId = await aPlayer(db, { name, credits: 20 });
  const gameId = await aGame(db);
  const joined = await joinGame(db, database.jobs, { gameId, playerId: userId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  await deliverEvents(database, singlePurchase(userId).completed);
  const insert = async (text: string) =>
    (await pool.query<{ id: string }>(`${text} returning id`, [userId])).rows[0]!.id;
  const messageId = await insert(
    "insert into support_messages (user_id, subject, message) values ($1, 'S', 'M')",
  );
  const reviewId = await insert("insert into reviews (user_id, rating) values ($1, 5)");
  const answerId = await insert(
    `insert into letter_answers (id, review_id, answer, answered_by, answered_at)
     values (gen_random_uuid(), '${reviewId}', 'Thanks', $1, now())`,
  );
  const { rows: replies } = await pool.query<{ id: string }>(
    `insert into ticket_replies (answer_id, body, mail_key, created_at)
     values ($1, 'Thank you', 'key', now()) returning id`,
    [answerId],
  );
  const withdrawalId = await insert(
    `insert into withdrawals (user_id, payment_id, credits_eur, amount_eur, stated_at)
     select user_id, id, 1, 1, now() from payments where user_id = $1`,
  );
  const paymentId = pool.query<{ id: string }>("select id from payments where user_id = $1", [
    userId,
  ]);
  const entryId = await insert(
    `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after)
     values ('${await aGame(db)}', $1, 'ask', 10, now())`,
  );
  const holdId = await insert(
    `insert into payment_holds (game_id, user_id, holds_spot, shown, expires_at)
     values ('${await aGame(db)}', $1, true, '{}', now())`,
  );
  await pool.query("delete from pgboss.job where name <> 'failed-mails'");
  const given: Record<Exclude<MailId, Nobodys>, Promise<string>> = {
    userId: give("account-exists", { userId }),
    bookingId: give("game-message", {
      ...{ messageId: randomUUID(), bookingId: joined.bookingId },
    }),
    entryId: give("waitlist-ended", { entryId }),
    paymentId: paymentId.then(({ rows }) => give("purchase", { paymentId: rows[0]!.id })),
    holdId: give("credits-stay", { holdId }),
    withdrawalId: give("withdrawal", { withdrawalId }),
    messageId: give("support-message", { messageId }),
    reviewId: give("review", { reviewId }),
    answerId: give("answer", { answerId }),
    replyId: give("ticket-reply", { replyId: replies[0]!.id }),
  };
  await Promise.all(Object.values(given));
  return userId;
}

test("each failed email belongs to its player, is exported and deleted with the account", async () => {
  const mine = await aPlayerWithMails("Mine");
  const others = await aPlayerWithMails("Other");
  const mails = await list();
  expect(mails.filter(({ userId }) => userId === mine)).toHaveLength(10);
  expect(mails.filter(({ userId, name }) => userId === others && name)).toHaveLength(10);
  const { "undelivered-mails": exported } = await collectPersonalData(database.db, mine);
  expect(exported).toHaveLength(10);
  expect(exported).toContainEqual({
    ...{ mail: "review", failed_at: NOW, reason: expect.stringContaining("550") },
  });
  await database.db.transaction().execute((tx) => deleteFailedMails(tx, mine));
  expect((await list()).map(({ userId }) => userId)).toEqual(Array(10).fill(others));
  expect(await countFailedMails(database.db, 4)).toBe(4);
});

test("a failed email about something deleted is still listed, without a name", async () => {
  await give("booking-confirmed", { bookingId: randomUUID() });
  expect(await list()).toMatchObject([{ userId: null, name: null, code: "550" }]);
});
