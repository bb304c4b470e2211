import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { aChat, memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findTicket } from "./inbox.server.ts";
import { reportMessage } from "./report-message.server.ts";
import { TICKETS_PER_HOUR } from "./rules.ts";
import { deleteTickets } from "./tickets.server.ts";

const database = useDatabase(12);
let db: Db;
let writer: { gameId: string; userId: string };
let reporter: { gameId: string; userId: string };
let messageId: string;
beforeAll(() => {
  ({ db } = database);
});
beforeEach(async () => {
  writer = await aChat(database);
  const { gameId } = writer;
  reporter = { gameId, userId: (await memberOf(database, gameId, "Bo")).userId };
  messageId = randomUUID();
  await say(db, writer, { body: "You are all useless", messageId });
});

const report = (who = reporter, id = messageId, now = NOW) =>
  reportMessage(db, database.jobs, { ...who, messageId: id, now });
const tickets = () =>
  db
    .selectFrom("support_messages")
    .selectAll()
    .where("reported_user_id", "=", writer.userId)
    .execute();
const mails = async (id: string) => {
  const queued = await database.pool.query(
    "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'support-message' and data->>'messageId' = $1",
    [id],
  );
  return queued.rowCount;
};

test("a report is a ticket with the text, its author, what was said before, and an email", async () => {
  for (let n = 0; n < 7; n += 1) {
    const said = { body: `before ${n}`, now: hoursLater(-1) };
    await say(db, n % 2 ? writer : reporter, { ...said, now: hoursLater(-9 + n) });
  }
  const id = randomUUID();
  await say(db, writer, { body: "This one", messageId: id, now: hoursLater(1) });
  expect(await report(reporter, id)).toEqual({ ok: true });
  const [row] = await tickets();
  const ticket = await findTicket(db, row!.id);
  expect(ticket).toMatchObject({
    ...{ kind: "report", status: "open", text: "This one", reportedUserId: writer.userId },
    reported: { id, gameId: writer.gameId, removedBy: null },
  });
  expect(ticket!.subject).toMatch(/^Chat message of Cleo /);
  expect(ticket!.writer.id).toBe(reporter.userId);
  expect(ticket!.reported!.before.map(({ body }) => body)).toEqual([
    ...["before 2", "before 3", "before 4", "before 5", "before 6"],
  ]);
  expect(await mails(row!.id)).toBe(1);
});

test("twenty presses at once are one report; another player's is another", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => report()));
  expect(results).toEqual(Array.from({ length: 20 }, () => ({ ok: true })));
  expect(await tickets()).toHaveLength(1);
  const third = { ...writer, userId: (await memberOf(database, writer.gameId, "Eve")).userId };
  expect(await report(third)).toEqual({ ok: true });
  expect(await tickets()).toHaveLength(2);
  await expect(
    db
      .insertInto("support_messages")
      .values({
        ...{ user_id: third.userId, kind: "report", subject: "S", message: "M" },
        ...{ reported_message_id: messageId, reported_user_id: writer.userId },
      })
      .execute(),
  ).rejects.toThrow("support_messages_reported_once");
});

test("the text stays in the report when its author deletes the message", async () => {
  await report();
  await removeMessage(db, { ...writer, messageId, now: NOW });
  const [row] = await tickets();
  const ticket = await findTicket(db, row!.id);
  expect(ticket!.text).toBe("You are all useless");
  expect(ticket!.reported!.removedBy).toBe("Author");
  expect(await report()).toEqual({ ok: true });
});

test("what cannot be reported: one's own, a first game's line, what is gone, and unknown", async () => {
  const failure = (reason: string) => ({ ok: false, reason });
  expect(await report(writer)).toEqual(failure("not-reportable"));
  const welcome = (await messagesOf(db, writer.gameId))[0]!.id;
  expect(await report(reporter, welcome)).toEqual(failure("not-reportable"));
  expect(await report(reporter, randomUUID())).toEqual(failure("not-found"));
  expect(await report(reporter, "x")).toEqual(failure("not-found"));
  expect(await report({ ...reporter, gameId: (await aChat(database)).gameId })).toEqual(
    failure("not-in"),
  );
  expect(await report({ ...reporter, userId: await aPlayer(db) })).toEqual(failure("not-in"));
  await removeMessage(db, { ...writer, messageId, now: NOW });
  expect(await report()).toEqual(failure("not-reportable"));
  expect(await tickets()).toEqual([]);
});

test("ten messages to the organisers in an hour are enough", async () => {
  const ids = Array.from({ length: TICKETS_PER_HOUR + 1 }, () => randomUUID());
  for (const [n, id] of ids.entries()) {
    await say(db, writer, { messageId: id, now: hoursLater(-2 + n / 10) });
  }
  const results = await Promise.all(ids.map((id) => report(reporter, id)));
  expect(results.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: "too-many" }]);
  expect(await report(reporter, messageId, hoursLater(1.01))).toEqual({ ok: true });
});

test("a report goes with the account of either of the two", async () => {
  await report();
  await db.transaction().execute((tx) => deleteTickets(tx, writer.userId));
  expect(await tickets()).toEqual([]);
  await report();
  await db.transaction().execute((tx) => deleteTickets(tx, reporter.userId));
  expect(await tickets()).toEqual([]);
});

test("when the chat is deleted the report stays without its place", async () => {
  await report();
  await db.deleteFrom("chat_messages").where("id", "=", messageId).execute();
  const [row] = await tickets();
  const ticket = await findTicket(db, row!.id);
  expect([ticket!.text, ticket!.reported]).toEqual(["You are all useless", null]);
});
