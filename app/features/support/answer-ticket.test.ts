import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { useErasure } from "#test/erasure.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { answerTicket, deleteTickets, leaveReview, sendMessage } from "./tickets.server.ts";
import { findTicket } from "./inbox.server.ts";

const scenario = useErasure();
const sent: Mail[] = [];
let actor: string;
beforeEach(async () => {
  sent.splice(0);
  await scenario.database.pool.query("delete from pgboss.job");
  actor = await aPlayer(scenario.app.db, { name: "Olga" });
});

async function aMessage() {
  const { db, jobs } = scenario.app;
  const writer = await scenario.player({ credits: 0 });
  const ticket = { userId: writer.userId, subject: "Lost shoes", message: "Blue\nones" };
  await sendMessage(db, jobs, ticket, NOW);
  return { writer, ticketId: await newest("support_messages", writer.userId) };
}

async function newest(table: "support_messages" | "reviews", userId: string) {
  const tickets = scenario.app.db.selectFrom(table).select("id").where("user_id", "=", userId);
  return (await tickets.executeTakeFirstOrThrow()).id;
}

const answer = (ticketId: string, more: { answerId?: string; seen?: number; db?: Db } = {}) => {
  const { db = scenario.app.db, answerId = randomUUID(), seen = 0 } = more;
  const change = { ticketId, answerId, answer: "In the hall.\nBehind the goal.", seen, actor };
  return answerTicket(db, scenario.app.jobs, { ...change, now: NOW });
};

async function sendMails() {
  const jobs = mailJobs({ ...scenario.app, mailer: async (mail) => void sent.push(mail) });
  const { rows } = await scenario.database.pool.query<{ data: { answerId: string } }>(
    "delete from pgboss.job where name = 'mail.send' and data->>'kind' = 'answer' returning data",
  );
  for (const { data } of rows) await jobs["answer"](data);
}

const entriesAbout = (ticketId: string) =>
  scenario.app.db.selectFrom("audit_log").selectAll().where("subject", "=", ticketId).execute();

test("an answer is emailed to the player, kept with the ticket, and closes it", async () => {
  const { writer, ticketId } = await aMessage();
  expect(await answer(ticketId)).toEqual({ ok: true });
  await sendMails();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    to: writer.email,
    replyTo: scenario.app.env.contactEmail,
    subject: "Lost shoes",
  });
  expect(sent[0]?.html).toContain("In the hall.<br/>Behind the goal.");
  expect(sent[0]?.text).toMatch(/You wrote on Nov 21, 2026:\s+Blue\s+ones/);
  const ticket = await findTicket(scenario.app.db, ticketId);
  expect(ticket?.status).toBe("done");
  expect(ticket?.thread).toMatchObject([{ text: "In the hall.\nBehind the goal.", at: NOW }]);
  expect(ticket?.thread[0]?.by).toMatch(/^Olga /);
});

test("a review can be answered too", async () => {
  const { userId, email } = await scenario.player({ credits: 0 });
  const review = { userId, rating: 2, comment: null };
  await leaveReview(scenario.app.db, scenario.app.jobs, review, NOW);
  expect(await answer(await newest("reviews", userId))).toEqual({ ok: true });
  await sendMails();
  expect(sent[0]).toMatchObject({ to: email, subject: "Your review" });
  expect(sent[0]?.text).not.toContain("You wrote");
});

test("the audit log has the action without the texts", async () => {
  const { ticketId } = await aMessage();
  await answer(ticketId);
  const [entry, ...more] = await entriesAbout(ticketId);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ actor, action: "inbox.answer" });
  expect(entry?.details).toMatchObject({ before: { status: "open" }, after: { status: "done" } });
  expect(JSON.stringify(entry)).not.toMatch(/shoes|Blue|hall|@/);
});

test("one form, however often it is sent, is one answer and one mail", async () => {
  const { ticketId } = await aMessage();
  const answerId = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 8 }, () => answer(ticketId, { answerId })),
  );
  expect(results).toEqual(results.map(() => ({ ok: true })));
  await sendMails();
  expect(sent).toHaveLength(1);
  expect((await findTicket(scenario.app.db, ticketId))?.thread).toHaveLength(1);
  expect(await entriesAbout(ticketId)).toHaveLength(1);
});

test("a resubmitted form with another text does not claim to have sent it", async () => {
  const { ticketId } = await aMessage();
  const answerId = randomUUID();
  await answer(ticketId, { answerId });
  for (const seen of [0, 1]) {
    const other = { ticketId, answerId, answer: "In the office.", seen, actor, now: NOW };
    const outcome = await answerTicket(scenario.app.db, scenario.app.jobs, other);
    expect(outcome).toEqual({ ok: false, reason: "answered" });
  }
});

describe("several organisers who answer at once", () => {
  const answerAtOnce = async (db: Db) => {
    const { ticketId } = await aMessage();
    const all = Array.from({ length: 8 }, () => answer(ticketId, { db }));
    const outcomes = await Promise.all(all);
    return { ticketId, sent: outcomes.filter(({ ok }) => ok).length };
  };

  test("one is sent, the others get a conflict and may send afterwards", async () => {
    const { ticketId, sent: count } = await answerAtOnce(scenario.app.db);
    expect(count).toBe(1);
    expect(await answer(ticketId)).toEqual({ ok: false, reason: "answered" });
    expect(await answer(ticketId, { seen: 1 })).toEqual({ ok: true });
  });

  test("without the lock several are sent", async () => {
    const { sent: count } = await answerAtOnce(scenario.app.db.withPlugin(withoutLocks));
    expect(count).toBeGreaterThan(1);
  });
});

test.each(["x", randomUUID()])("a missing ticket (%s)", async (ticketId) => {
  expect(await answer(ticketId)).toEqual({ ok: false, reason: "gone" });
});

test("a deleted account's tickets and answers are deleted", async () => {
  const { writer, ticketId } = await aMessage();
  await answer(ticketId);
  expect(await scenario.remove(writer, { deleteTickets })).toEqual({ ok: true });
  expect(await findTicket(scenario.app.db, ticketId)).toBeNull();
  expect(await scenario.app.db.selectFrom("letter_answers").selectAll().execute()).not.toEqual(
    expect.arrayContaining([expect.objectContaining({ message_id: ticketId })]),
  );
  await sendMails();
  expect(sent).toEqual([]);
});

test("an answer during the deletion is not sent", async () => {
  const { writer, ticketId } = await aMessage();
  const late = Promise.withResolvers<unknown>();
  const deleteDuring: typeof deleteTickets = async (tx, userId) => {
    answer(ticketId).then(late.resolve, late.reject);
    await scenario.untilSomebodyWaits();
    await deleteTickets(tx, userId);
  };
  expect(await scenario.remove(writer, { deleteTickets: deleteDuring })).toEqual({ ok: true });
  expect(await late.promise).toEqual({ ok: false, reason: "gone" });
  await sendMails();
  expect(sent).toEqual([]);
});
