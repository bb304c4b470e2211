import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { findAnnouncement } from "#app/features/announcements/progress.server.ts";
import { type MailServer, openMailServer } from "#test/mail-server.ts";
import { expect, test } from "../fixtures.ts";
import { type Processes, startProcesses } from "../processes.ts";

/*
 * An announcement to so many players, while SIGKILL ends the worker twice in the middle of it and an
 * organiser stops it half-way: each gets it once, what was with the mail server at a kill is not
 * sent again, and the site's own emails do not wait for it.
 */
const PLAYERS = 20_000;
const PER_MINUTE = 60_000;
const WAIT = { intervals: [20], timeout: 1_200_000 };
/** Of one batch: with the mail server when a worker was killed, and not yet noted as sent. */
const UNDER_WAY = 10;

test.describe.configure({ mode: "serial", timeout: 2_400_000 });
const id = randomUUID();
let mailServer: MailServer;
let processes: Processes;
let actor: string;
let recipients: string[];
const own: { key: string; after: number; before: number }[] = [];

const db = () => processes.database.db;
const digest = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 32);
const taken = () => mailServer.taken.map((messageId) => messageId.slice(1, 33));
const progress = async () => (await findAnnouncement(db(), id))!;

test.beforeAll(async () => {
  mailServer = await openMailServer();
  const pace = { ANNOUNCEMENTS_PER_MINUTE: String(PER_MINUTE), NEWS_AT_NIGHT: "1" };
  const env = { SMTP_URL: mailServer.url, ...pace };
  processes = await startProcesses(["web", "worker"], env);
  await addPlayers();
  const admins = db().selectFrom("user_roles").select("user_id").where("role", "=", "admin");
  actor = (await admins.executeTakeFirstOrThrow()).user_id;
});

test.afterAll(async () => {
  await processes?.stop();
  await mailServer?.close();
});

async function addPlayers() {
  await sql`
    with added as (
      insert into users (name, email, email_verified)
      select 'Player', 'crowd' || n || '@uni.example', true from generate_series(1, ${PLAYERS}) n
      returning id, email)
    insert into profiles
      (user_id, first_name, last_name, date_of_birth, email, school_year, major)
    select id, 'Player', 'Crowd', '2001-05-17', email, 'Master', 'Physics' from added`.execute(
    db(),
  );
}

test("two kills of the worker and a stop half-way: each gets it once, and own emails pass", async () => {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from profiles join users on users.id = user_id
    where deleted_at is null and suspended_at is null`.execute(db());
  recipients = rows.map((row) => row.id);
  const text = { subject: "News", message: "Come and play." };
  const input = { audience: "everybody", kind: "news", ...text } as const;
  const form = { announcementId: id, input, shown: recipients.length, actor, now: new Date() };
  expect(await announce(db(), form)).toEqual({ ok: true, recipients: recipients.length });

  for (const share of [0.2, 0.35]) {
    await untilTaken(share);
    await processes.kill(1);
    await processes.start(1);
    await sendOwn();
  }
  await untilTaken(0.5);
  await stopAndResume();
  await expect.poll(countToCome, WAIT).toBe(0);

  const keys = recipients.map((userId) => [digest(keyOf(userId)), userId] as const);
  const users = new Map(keys);
  // The demo sends a few emails too.
  const got = taken().filter((messageId) => users.has(messageId));
  expect(new Set(got).size).toBe(got.length);
  const { sent, unsure, undelivered } = await progress();
  expect([sent + unsure, undelivered]).toEqual([recipients.length, 0]);
  expect(unsure).toBeLessThanOrEqual(2 * UNDER_WAY);
  const missed = keys.flatMap(([key, userId]) => (got.includes(key) ? [] : [userId]));
  expect(await listUnsure()).toEqual(expect.arrayContaining(missed));
  const counts = { recipients: recipients.length, sent, unsure, missed: missed.length };
  process.stdout.write(`announcement: ${JSON.stringify({ ...counts, own })}\n`);
});

const keyOf = (userId: string) => `announcement:${id}:${userId}`;

async function countToCome() {
  const { waiting, underWay } = await progress();
  return waiting + underWay;
}

async function listUnsure() {
  const rows = db().selectFrom("announcement_recipients").select("user_id");
  const unsure = await rows
    .where("announcement_id", "=", id)
    .where("outcome", "=", "unsure")
    .execute();
  return unsure.map((row) => row.user_id);
}

const untilTaken = (share: number) =>
  expect.poll(() => mailServer.taken.length, WAIT).toBeGreaterThan(share * recipients.length);

/** An email of the site itself, while most of the announcement is still to be sent. */
async function sendOwn() {
  const at = new Date().toISOString();
  const key = `password-changed:${actor}:${at}`;
  const after = mailServer.taken.length;
  await db()
    .transaction()
    .execute((tx) => processes.jobs.enqueueEmails(tx, "password-changed", [{ userId: actor, at }]));
  await expect.poll(() => taken().includes(digest(key)), WAIT).toBe(true);
  own.push({ key, after, before: taken().indexOf(digest(key)) });
  expect((await progress()).sent).toBeLessThan(recipients.length);
}

async function stopAndResume() {
  const stop = (isStopped: boolean) =>
    stopAnnouncement(db(), { id, isStopped, actor, now: new Date() });
  expect(await stop(true)).toEqual({ ok: true });
  // What was with the mail server arrives, the rest waits again; jobs of the killed worker too.
  await expect.poll(async () => (await progress()).underWay, WAIT).toBe(0);
  const stopped = await progress();
  expect(stopped.sent + stopped.unsure + stopped.waiting).toBe(recipients.length);
  expect(stopped.waiting).toBeGreaterThan(0);
  await sendOwn();
  expect(await progress()).toEqual(stopped);
  expect(await stop(false)).toEqual({ ok: true });
}
