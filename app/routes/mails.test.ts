import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { eventsOf } from "#test/calendar.ts";
import { useDatabase } from "#test/db.ts";
import { readPage } from "#test/html-checker.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { allHostileTexts, someHostileTexts } from "#test/hostile-texts.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { deliverEvents, PACK, singlePurchase, somePacks } from "#test/payments.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { DARK_STYLE } from "#app/ui/mail-shell.tsx";
import { isLong } from "#test/long.ts";

const database = useDatabase();
withoutTimeouts(database);
beforeAll(() => somePacks(database.db));
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-mails-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const TEXTS = isLong ? allHostileTexts() : someHostileTexts(24);
const HEADERS = "auto-submitted,content-type,date,from,message-id,mime-version,subject,to".split(
  ",",
);

const OPTIONAL = ["reply-to", "in-reply-to", "references"];

/** The mails that hold one text wherever they can: a ticket, a review, a booking, a purchase. */
async function sendMails(text: string) {
  const plain = testApp(database, () => NOW);
  const tools = { ...plain, env: { ...plain.env, dataDir } };
  const jobs = { mailer: createMailer(tools.env), ...tools };
  const { db } = tools;
  const userId = await aPlayer(db, { credits: 20 });
  const gameId = await aGame(db);
  const joined = await joinGame(db, tools.jobs, { gameId, playerId: userId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const [short, line] = [[...text].slice(0, 50).join(""), [...text].slice(0, 120).join("")];
  await sql`update profiles set first_name = ${short}, last_name = ${short}
    where user_id = ${userId}`.execute(db);
  await sql`update venues set name = ${line} where id = (
    select venue_id from games where id = ${gameId})`.execute(db);
  const ticket = { user_id: userId, subject: line, message: text.slice(0, 5_000) };
  const messages = db.insertInto("support_messages").values(ticket).returning("id");
  const { id: messageId } = await messages.executeTakeFirstOrThrow();
  const review = { user_id: userId, rating: 1, comment: [...text].slice(0, 2_000).join("") };
  const reviews = db.insertInto("reviews").values(review).returning("id");
  const { id: reviewId } = await reviews.executeTakeFirstOrThrow();
  await mailJobs(jobs)["support-message"]({ messageId });
  await mailJobs(jobs)["review"]({ reviewId });
  const answer = { id: randomUUID(), answer: ticket.message, answered_by: userId };
  await db
    .insertInto("letter_answers")
    .values({ ...answer, message_id: messageId, review_id: null, answered_at: NOW })
    .execute();
  await mailJobs(jobs)["answer"]({ answerId: answer.id });
  const reply = {
    answer_id: answer.id,
    body: ticket.message,
    mail_key: "key",
    created_at: NOW,
    mail_id: "<1@uni.example>",
  };
  const replies = db.insertInto("ticket_replies").values(reply).returning("id");
  const { id: replyId } = await replies.executeTakeFirstOrThrow();
  await mailJobs(jobs)["ticket-reply"]({ replyId });
  await mailJobs(jobs)["booking-confirmed"]({ bookingId: joined.bookingId });
  await sql`update credit_packs set pack_name = ${short} where pack_key = ${PACK}`.execute(db);
  await deliverEvents(database, singlePurchase(userId).completed);
  const payments = db.selectFrom("payments").select("id").where("user_id", "=", userId);
  const { id: paymentId } = await payments.executeTakeFirstOrThrow();
  await mailJobs(jobs)["purchase"]({ paymentId });
  return plain.env;
}

// The space in a button, as the mail library writes it.
const FOR_OUTLOOK = /<!--\[if mso\]><i style="[^"<>]*"(?: hidden)?>(?:&#\d+;)*<\/i><!\[endif\]-->/g;

const OWN_STYLE = `<style>${DARK_STYLE}</style>`;

async function takeOutbox(): Promise<Email[]> {
  const folder = path.join(dataDir, "outbox");
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(file))));
  for (const file of files) rmSync(file);
  return mails;
}

function problemsOf(mail: Email, people: string[]): string[] {
  const names = mail.headers.map(({ key }) => key).filter((key) => !OPTIONAL.includes(key));
  const addressed = [...(mail.to ?? []), ...(mail.replyTo ?? [])].map(({ address }) => address);
  const strangers = addressed.filter((address) => !people.some((one) => address?.endsWith(one)));
  const html = (mail.html ?? "").replace(FOR_OUTLOOK, "").replace(OWN_STYLE, "");
  return [
    ...(names.toSorted().join() === HEADERS.join() ? [] : [`headers ${names.join()}`]),
    ...strangers.map((address) => `to ${address}`),
    ...[mail.cc, mail.bcc].flatMap((list) => (list?.length ? ["a copy"] : [])),
    ...(/[\r\n]/.test(mail.subject ?? "") ? ["a subject of several lines"] : []),
    ...problemsOfFiles(mail),
    ...readPage(html).problems,
  ];
}

/** Only the mail that one is in has a file: exactly one event, without people who are invited. */
function problemsOfFiles({ subject, attachments }: Email): string[] {
  if (!subject?.startsWith("You're in: ")) return attachments.map(() => "an attachment");
  return attachments.flatMap(({ filename, mimeType, content }) => {
    const text = Buffer.from(content as ArrayBuffer).toString();
    const isOne = filename === "game.ics" && mimeType === "text/calendar";
    const events = eventsOf(text);
    const isPlain = events.length === 1 && !/^(ATTENDEE|BEGIN:VALARM|ATTACH)/m.test(text);
    return isOne && isPlain ? [] : [`a file ${filename} of ${events.length} events`];
  });
}

test(`${TEXTS.length} texts in subjects, names and messages: no header and no markup more`, async () => {
  const wrong: string[] = [];
  for (const { text } of TEXTS) {
    const env = await sendMails(text.replaceAll("\u0000", "").toWellFormed() || "x");
    const mails = await takeOutbox();
    expect(mails).toHaveLength(6);
    const problems = mails.flatMap((mail) => problemsOf(mail, ["@uni.example", env.contactEmail]));
    wrong.push(...problems.map((problem) => `${JSON.stringify(text.slice(0, 80))}: ${problem}`));
  }
  expect(wrong).toEqual([]);
});
