import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PostalMime from "postal-mime";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { openSite, type AskSite } from "#test/whole-site.ts";
import { collectPersonalData } from "#app/features/privacy/personal-data.server.ts";
import { replyAddress } from "#app/features/support/answer-mail.server.ts";
import { REPLIES_PER_HOUR } from "#app/features/support/rules.ts";
import { answerTicket, leaveReview, sendMessage } from "#app/features/support/tickets.server.ts";
import { createMailer, type Mail } from "#app/platform/mail.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const REPLIES = { address: "Support@kickabout.example", secret: "s".repeat(32) };
let app: App;
let ask: AskSite;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, supportReplies: REPLIES } };
  admin = await anAdmin(app);
  ask = await openSite(app);
});

interface Thread {
  userId: string;
  ticketId: string;
  token: string;
  email: string;
  answerId: string;
}
let thread: Thread;
beforeEach(async () => void (thread = await aThread()));

async function answer(ticketId: string, seen = 0, now = NOW) {
  const answerId = crypto.randomUUID();
  const reply = { ticketId, answerId, answer: "Look in the hall.", seen, actor: admin.id, now };
  expect(await answerTicket(app.db, app.jobs, reply)).toEqual({ ok: true });
  return answerId;
}

/** A message that was answered. */
async function aThread(kind: "message" | "review" = "message"): Promise<Thread> {
  const { db, jobs } = app;
  const userId = await aPlayer(db, { name: "Ada" });
  const message = { userId, subject: "Shoes", message: "I lost them." };
  if (kind === "message") await sendMessage(db, jobs, message, NOW);
  else await leaveReview(db, jobs, { userId, rating: 5, comment: null }, NOW);
  const table = kind === "message" ? "support_messages" : "reviews";
  const ticket = db.selectFrom(table).select("id").where("user_id", "=", userId);
  const { id: ticketId } = await ticket.executeTakeFirstOrThrow();
  const answerId = await answer(ticketId);
  const stored = db.selectFrom("letter_answers").select("reply_token").where("id", "=", answerId);
  const { reply_token: token } = await stored.executeTakeFirstOrThrow();
  const profile = db.selectFrom("profiles").select("email").where("user_id", "=", userId);
  return {
    userId,
    ticketId,
    token,
    answerId,
    email: (await profile.executeTakeFirstOrThrow()).email,
  };
}

const mailTo = (
  to: string,
  { id = String(crypto.randomUUID()), from = thread.email, more = "" } = {},
) =>
  `From: ${from}\r\nTo: ${to}\r\nMessage-ID: <${id}>\r\n${more}\r\nFound them, thanks!\r\n\r\n> Look`;
async function send(body: string, headers: Record<string, string> = {}) {
  const secret = { Authorization: `Bearer ${REPLIES.secret}` };
  const response = await ask("/webhooks/mail", {
    ...{ method: "POST", body, headers: { ...secret, ...headers } },
  });
  return response.status;
}
const replies = (ticketId = thread.ticketId) =>
  app.db
    .selectFrom("ticket_replies")
    .innerJoin("letter_answers", "letter_answers.id", "answer_id")
    .select(["ticket_replies.id", "body", "sent_from"])
    .where((eb) => eb.or([eb("message_id", "=", ticketId), eb("review_id", "=", ticketId)]))
    .execute();
const statusOf = async (id = thread.ticketId) => {
  const ticket = app.db.selectFrom("support_messages").select("status").where("id", "=", id);
  return (await ticket.executeTakeFirst())?.status;
};
const pageOf = async (path: string) =>
  (await (await ask(path, { cookie: admin.cookie })).text()).replaceAll("<!-- -->", "");
const address = () => replyAddress(REPLIES, thread.token);

test("a reply is the player's message in the thread, once, and the ticket is open again", async () => {
  expect(await statusOf()).toBe("done");
  const mail = mailTo(`"Kickabout" <${address().toUpperCase()}>`);
  expect(await Promise.all([send(mail), send(mail), send(mail)])).toEqual([200, 200, 200]);
  expect(await replies()).toMatchObject([{ body: "Found them, thanks!", sent_from: null }]);
  expect(await statusOf()).toBe("open");
  const page = await pageOf(`/admin/inbox/${thread.ticketId}`);
  expect(page).toContain("Answers and replies");
  expect(page).toContain("Found them, thanks!");
  expect(page).toContain("Replies appear here.");
  expect(await pageOf("/admin/inbox")).toContain("Replied");
  await answer(thread.ticketId, 2, hoursLater(1));
  expect(await statusOf()).toBe("done");
  expect(await send(mail)).toBe(200);
  expect(await statusOf()).toBe("done");
});

test("the contact address is notified, and the next answer quotes the reply", async () => {
  await send(mailTo(address(), { from: "Ada <other@mail.example>" }));
  const [reply] = await replies();
  expect(reply?.sent_from).toBe("other@mail.example");
  const sent: Mail[] = [];
  const jobs = mailJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
  await jobs["ticket-reply"]({ replyId: reply!.id });
  await jobs["answer"]({ answerId: thread.answerId });
  await jobs["answer"]({ answerId: await answer(thread.ticketId, 2, hoursLater(1)) });
  const [notice, first, second] = sent;
  expect(notice).toMatchObject({ to: app.env.contactEmail, replyTo: thread.email });
  expect(notice?.text).toContain("Sent from other@mail.example");
  expect(notice?.html).toContain(`/admin/inbox/${thread.ticketId}`);
  expect(first).toMatchObject({ to: thread.email, replyTo: address() });
  expect(first?.text).toContain("I lost them.");
  expect(second?.replyTo).not.toBe(address());
  expect(second?.text).toContain("Found them, thanks!");
  expect(await pageOf(`/admin/inbox/${thread.ticketId}`)).toContain("from other@mail.example");
});

test("a reply that the organiser's page does not show keeps its ticket open", async () => {
  const path = `/admin/inbox/${thread.ticketId}`;
  const post = (seen: number, intent: string, fields: Record<string, string> = {}) =>
    ask(path, {
      cookie: admin.cookie,
      body: new URLSearchParams({ intent, seen: String(seen), ...fields }),
    });
  expect((await post(1, "open")).status).toBe(302);
  expect(await pageOf(path)).toMatch(/value="done"\/?><input type="hidden" name="seen" value="1"/);
  await send(mailTo(address()));
  const typed = { answer: "Have you looked there?", answerId: crypto.randomUUID() };
  const answered = await post(1, "answer", typed);
  const html = await answered.text();
  expect(answered.status).toBe(409);
  expect(html).toContain("Not sent: the player has replied meanwhile.");
  expect(html).toMatch(/<textarea[^>]*>Have you looked there\?</);
  const done = await post(1, "done");
  expect(done.status).toBe(409);
  expect(await done.text()).toContain("Not marked as done: the player has replied meanwhile.");
  expect(await statusOf()).toBe("open");
  expect((await post(2, "answer", typed)).status).toBe(302);
  expect(await statusOf()).toBe("done");
  await post(3, "open");
  expect((await post(2, "done")).status).toBe(409);
  expect((await post(3, "done")).status).toBe(302);
});

test("an answer quotes what it was written to, not a reply that was stored after it", async () => {
  const second = await answer(thread.ticketId, 1, hoursLater(1));
  await send(mailTo(address()));
  const sent: Mail[] = [];
  const jobs = mailJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
  await jobs["answer"]({ answerId: second });
  expect(sent[0]?.text).toContain("I lost them.");
  await jobs["answer"]({ answerId: await answer(thread.ticketId, 3, NOW) });
  expect(sent[1]?.text).toContain("Found them, thanks!");
});

test("of several addresses of ours the one with a token counts", async () => {
  expect(await send(mailTo(`support+shoes@kickabout.example, ${address()}`))).toBe(200);
  expect(await replies()).toHaveLength(1);
});

test("the player's export has the reply, and nobody else's", async () => {
  await send(mailTo(address(), { from: "other@mail.example" }));
  const { messages } = await collectPersonalData(app.db, thread.userId);
  expect(messages).toMatchObject([
    { answers: [{ replies: [{ reply: "Found them, thanks!", sent_from: "other@mail.example" }] }] },
  ]);
  const stranger = await aThread();
  const { messages: others } = await collectPersonalData(app.db, stranger.userId);
  expect(others).toMatchObject([{ answers: [{ replies: [] }] }]);
});

test("answers, replies and the mails about them are threads of their own Message-IDs", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-threads-"));
  const env = { ...app.env, dataDir };
  const jobs = mailJobs({ ...app, env, mailer: createMailer(env) });
  const headersOf = async (sent: Promise<void>) => {
    await sent;
    const [name = ""] = readdirSync(path.join(dataDir, "outbox"));
    const file = path.join(dataDir, "outbox", name);
    const { subject, messageId, inReplyTo, references } = await PostalMime.parse(
      readFileSync(file),
    );
    rmSync(file);
    return { subject, messageId, inReplyTo, references };
  };
  const first = await headersOf(jobs["answer"]({ answerId: thread.answerId }));
  expect(first).toEqual({ subject: "Shoes", messageId: first.messageId });
  expect(await headersOf(jobs["answer"]({ answerId: thread.answerId }))).toEqual(first);
  const second = await answer(thread.ticketId, 1, hoursLater(1));
  expect(await send(mailTo(address(), { id: "one@uni.example" }))).toBe(200);
  expect(await send(mailTo(address(), { id: "not one" }))).toBe(200);
  const third = await answer(thread.ticketId, 4, hoursLater(2));
  const after = await headersOf(jobs["answer"]({ answerId: second }));
  expect(after).toMatchObject({ subject: "Re: Shoes", inReplyTo: first.messageId });
  expect(after.references).toBe(first.messageId);
  const last = await headersOf(jobs["answer"]({ answerId: third }));
  expect(last).toMatchObject({ subject: "Re: Shoes", inReplyTo: "<one@uni.example>" });
  expect(last.references).toBe(`${first.messageId} ${after.messageId} <one@uni.example>`);
  const message = await headersOf(jobs["support-message"]({ messageId: thread.ticketId }));
  expect(message.references).toBeUndefined();
  const [replyId = "", laterId = ""] = (await replies()).map(({ id }) => id);
  const one = await headersOf(jobs["ticket-reply"]({ replyId }));
  const two = await headersOf(jobs["ticket-reply"]({ replyId: laterId }));
  expect(one.references).toBe(message.messageId);
  expect(two.references).toBe(`${message.messageId} ${one.messageId}`);
  rmSync(dataDir, { recursive: true });
});

test("a flowed reply in Swedish keeps its words, and no secret address stays", async () => {
  const sent = "Kickabout \r\n> Look in the \r\n> hall. \r\nI did look \r\nthere.";
  const flowed = "Content-Type: text/plain; format=flowed\r\n";
  const from = `From: a@b.example\r\nTo: ${address()}\r\n`;
  expect(await send(`${from}${flowed}\r\nHej! \r\n\r\nDen 2026-11-23 skrev ${sent}`)).toBe(200);
  const quote = `Från: Kickabout <${address()}>\r\nSkickat: den 23 november 2026 12:00\r\nTill: Ada`;
  expect(await send(`${from}\r\nTack!\r\n\r\n${quote}\r\n\r\nLook in the hall.`)).toBe(200);
  const bodies = (await replies()).map(({ body }) => body);
  expect(bodies).toContain("Tack!");
  expect(bodies.join("\n")).toContain("I did look there.");
  expect(bodies.join("\n")).not.toContain(thread.token);
});

test("a review is replied to in the same way", async () => {
  thread = await aThread("review");
  expect(await send(mailTo(address()))).toBe(200);
  expect(await replies()).toHaveLength(1);
  const review = app.db.selectFrom("reviews").select("status").where("id", "=", thread.ticketId);
  expect(await review.executeTakeFirst()).toEqual({ status: "open" });
});

test("without the secret nothing is stored", async () => {
  for (const Authorization of [
    "",
    "Bearer x",
    `bearer ${REPLIES.secret}`,
    `Bearer ${REPLIES.secret}x`,
  ]) {
    expect(await send(mailTo(address()), { Authorization })).toBe(401);
  }
  expect(await replies()).toEqual([]);
});

test("other addresses and deleted tickets are unknown, so that the mail server rejects them", async () => {
  const unknown = [
    replyAddress(REPLIES, "0".repeat(32)),
    replyAddress(REPLIES, `${thread.token}0`),
    replyAddress(REPLIES, ""),
    "support@kickabout.example",
    `support+${thread.token}@elsewhere.example`,
    `other+${thread.token}@kickabout.example`,
  ];
  for (const to of unknown) expect(await send(mailTo(to)), to).toBe(404);
  expect(await replies()).toEqual([]);
  await app.db.deleteFrom("support_messages").where("id", "=", thread.ticketId).execute();
  expect(await send(mailTo(address()))).toBe(404);
});

test("an automatic reply is dropped, and what has no text or is no email is rejected", async () => {
  expect(await send(mailTo(address(), { more: "Auto-Submitted: auto-replied\r\n" }))).toBe(200);
  expect(await send(`From: a@b.example\r\nTo: ${address()}\r\n\r\n  `)).toBe(422);
  expect(await send("no email")).toBe(400);
  expect([await replies(), await statusOf()]).toEqual([[], "done"]);
});

test("too many replies in an hour wait at the mail server", async () => {
  for (let n = 0; n < REPLIES_PER_HOUR; n += 1) expect(await send(mailTo(address()))).toBe(200);
  expect(await send(mailTo(address()))).toBe(429);
  expect(await replies()).toHaveLength(REPLIES_PER_HOUR);
});

test("where they are off there is no such page, and the form says where replies go", async () => {
  const plain = testApp(database, () => NOW);
  const site = await openSite(plain);
  const response = await site("/webhooks/mail", { method: "POST", body: mailTo(address()) });
  expect(response.status).toBe(404);
  const page = await site(`/admin/inbox/${thread.ticketId}`, { cookie: admin.cookie });
  expect(await page.text()).toContain(`Replies go to ${plain.env.contactEmail}.`);
  const sent: Mail[] = [];
  const jobs = mailJobs({ ...plain, mailer: async (mail) => void sent.push(mail) });
  await jobs["answer"]({ answerId: thread.answerId });
  expect(sent[0]?.replyTo).toBe(plain.env.contactEmail);
});
