import { beforeEach, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, ben, hoursLater, NOW } from "#test/fixtures.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { deleteTickets, leaveReview, sendMessage } from "./tickets.server.ts";

const database = useDatabase(12);
const sent: Mail[] = [];
beforeEach(() => void sent.splice(0));

const write = (userId: string, message = "My shoes are gone.\n<b>Blue</b>", now = NOW) =>
  sendMessage(database.db, database.jobs, { userId, subject: "Lost shoes", message }, now);
const rate = (userId: string, rating = 4, comment: string | null = null) =>
  leaveReview(database.db, database.jobs, { userId, rating, comment }, NOW);

async function runJobs(kind: "support-message" | "review") {
  const app = testApp(database);
  const jobs = mailJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
  const { rows } = await database.pool.query<{ data: never }>(
    "delete from pgboss.job where name = 'mail.send' and data->>'kind' = $1 returning data",
    [kind],
  );
  for (const { data } of rows) await jobs[kind](data);
  return app.env;
}

test("a message is kept open and mailed to the contact address, its answer goes to the player", async () => {
  const userId = await aPlayer(database.db, { name: "Ada" });
  expect(await write(userId)).toBe(true);
  const { contactEmail } = await runJobs("support-message");
  const kept = database.db.selectFrom("support_messages").selectAll();
  expect(await kept.where("user_id", "=", userId).execute()).toMatchObject([
    { kind: "message", subject: "Lost shoes", status: "open", created_at: NOW },
  ]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: contactEmail, subject: "Support: Lost shoes" });
  expect(sent[0]?.replyTo).toMatch(/^ada\d+@uni\.example$/);
  expect(sent[0]?.html).toContain("My shoes are gone.<br/>&lt;b&gt;Blue&lt;/b&gt;");
});

test("a review is kept and mailed with its stars", async () => {
  const userId = await ben(database.db);
  expect(await rate(userId, 2, "Too dark")).toBe(true);
  await runJobs("review");
  expect(sent[0]).toMatchObject({ subject: "Review: 2 of 5" });
  expect(sent[0]?.text).toContain("Too dark");
  expect(sent[0]?.html).toContain("2 of 5: Fair");
});

test("the same message, or the same review, sent again within minutes is stored once", async () => {
  const userId = await ben(database.db);
  expect(await Promise.all([write(userId), write(userId), write(userId)])).toEqual([
    true,
    true,
    true,
  ]);
  expect(await Promise.all([rate(userId), rate(userId)])).toEqual([true, true]);
  for (const table of ["support_messages", "reviews"] as const) {
    const stored = database.db.selectFrom(table).select("id").where("user_id", "=", userId);
    expect(await stored.execute(), table).toHaveLength(1);
  }
  expect(await write(userId, undefined, hoursLater(0.2))).toBe(true);
  const all = database.db.selectFrom("support_messages").select("id");
  expect(await all.where("user_id", "=", userId).execute()).toHaveLength(2);
});

test("ten an hour, however many at once, and more in the next", async () => {
  const userId = await ben(database.db);
  const results = await Promise.all(
    Array.from({ length: 14 }, (_, n) => write(userId, `Shoe ${n}`)),
  );
  expect(results.filter(Boolean)).toHaveLength(10);
  expect(await write(await ben(database.db))).toBe(true);
  expect(await write(userId, "Later", hoursLater(1.1))).toBe(true);
  const rated = await Promise.all(
    Array.from({ length: 12 }, (_, n) => rate(userId, 5, `Good ${n}`)),
  );
  expect(rated.filter(Boolean)).toHaveLength(10);
});

test("a ticket deleted before its email is not sent", async () => {
  await runJobs("support-message");
  sent.splice(0);
  const userId = await ben(database.db);
  await write(userId);
  await rate(userId);
  await database.db.transaction().execute((tx) => deleteTickets(tx, userId));
  await runJobs("support-message");
  expect(sent).toEqual([]);
});
