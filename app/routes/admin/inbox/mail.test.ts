import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const PATH = "/admin/inbox/mail";
const TOKEN = "the-token-of-a-link";
let app: App;
let ask: AskSite;
let cookie: string;
let ada: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  cookie = (await anAdmin(app)).cookie;
  ask = await openSite(app);
  ada = await aPlayer(app.db, { name: "Ada", credits: 20 });
});
beforeEach(() => database.pool.query("delete from pgboss.job; delete from mail_outage"));

async function aBookingMail() {
  const gameId = await aGame(app.db);
  const playerId = await aPlayer(app.db, { name: "Ben", credits: 20 });
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  await database.pool.query("delete from pgboss.job");
  const data = { bookingId: joined.bookingId };
  return aFailedMail(database.db, { kind: "booking-confirmed", data, queuedAt: NOW });
}

const aResetMail = (queuedAt: Date, isRepeated = false) =>
  aFailedMail(database.db, {
    ...{ kind: "reset-password", queuedAt, isRepeated },
    data: { userId: ada, token: TOKEN },
  });

const open = async (path = PATH) => (await (await ask(path, { cookie })).text()).split("<main")[1]!;
const post = (intent: string, mailId: string) =>
  ask(PATH, { cookie, body: new URLSearchParams({ intent, mailId }) });
const jobs = async () => (await database.pool.query("select * from pgboss.job")).rows;
const entries = async (action: string) =>
  (await database.pool.query("select subject from audit_log where action = $1", [action])).rows;

test("the list says which email, for whom and why, and no token", async () => {
  await aBookingMail();
  await aResetMail(hoursLater(-0.5));
  const html = await open();
  for (const words of ["Booking confirmed", "Link to choose a new password", "Send again"]) {
    expect(html).toContain(words);
  }
  expect(html).toContain("The mail server said: 550 5.1.1 &lt;[address]&gt;: no such user");
  expect(html).toMatch(new RegExp(`href="/admin/players/${ada}"[^>]*>Ada `));
  expect(html).toContain(">Ben ");
  expect(html + JSON.stringify(await jobs())).not.toContain(TOKEN);
});

test.each([
  [{ name: "MailError", code: "ECONNECTION" }, "The mail server took no emails for a day."],
  [{ name: "MailError", code: "EENVELOPE", message: "No recipients" }, "It cannot be sent: No"],
  [{ name: "PutAside" }, "It waited in a backup that was restored, and has probably been sent."],
  [{ name: "TypeError", message: "x" }, "Something went wrong on our side. The log says what."],
])("shows another reason: %o", async (output, words) => {
  const data = { userId: ada };
  await aFailedMail(database.db, { kind: "account-exists", data, output });
  expect(await open()).toContain(words);
});

test("pressed twice at once it is sent once, as the same mail", async () => {
  const id = await aBookingMail();
  const [failed] = await jobs();
  const statuses = await Promise.all([post("send-again", id), post("send-again", id)]);
  expect(statuses.map(({ status }) => status).toSorted()).toEqual([302, 409]);
  expect(await jobs()).toMatchObject([
    { name: "mail.send", state: "created", retry_count: 0, data: failed!.data },
  ]);
  expect(await entries("mail.send-again")).toHaveLength(1);
  expect(await open()).toContain("Nothing here. Every email was delivered.");
});

test.each([
  ["is older than its link", () => aResetMail(hoursLater(-1))],
  ["failed again", () => aResetMail(NOW, true)],
])("one that %s is not offered, and not sent", async (_, make) => {
  const id = await make();
  const html = await open();
  expect(html).toContain("The link in it has expired. The player can ask for a new one.");
  expect(html).not.toContain("Send again");
  const response = await post("send-again", id);
  expect(response.status).toBe(409);
  expect(await response.text()).toContain("The link in this email does not work any more.");
  expect(await jobs()).toMatchObject([{ id, name: "failed-mails" }]);
});

test("removes an email once", async () => {
  const id = await aResetMail(NOW);
  expect((await post("remove", id)).status).toBe(302);
  expect((await post("remove", id)).status).toBe(409);
  expect(await jobs()).toEqual([]);
  expect(await entries("mail.remove")).toEqual([{ subject: ada }]);
});

test.each([
  ["burn", randomUUID(), 400],
  ["remove", "x", 400],
  ["remove", randomUUID(), 409],
  ["send-again", randomUUID(), 409],
])("rejects a form that is wrong or unknown: %s %s", async (intent, id, status) => {
  expect((await post(intent, id)).status).toBe(status);
});

test("says when it breaks, and loses nothing", async () => {
  const id = await aBookingMail();
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await database.pool.query("alter table audit_log rename to away");
  const { status } = await post("send-again", id);
  await database.pool.query("alter table away rename to audit_log");
  expect(status).toBe(500);
  expect(logged).toHaveBeenCalled();
  logged.mockRestore();
  expect(await jobs()).toMatchObject([{ id, name: "failed-mails" }]);
});

test("the inbox leads there, and both show that the mail server is away", async () => {
  expect(await open("/admin/inbox")).not.toContain(PATH);
  await aBookingMail();
  await app.db
    .transaction()
    .execute((tx) => database.queue.enqueueEmails(tx, "account-exists", [{ userId: ada }]));
  await database.pool.query("insert into mail_outage default values");
  const html = await open("/admin/inbox");
  expect(html).toContain(`href="${PATH}"`);
  for (const page of [html, await open()]) {
    expect(page.replaceAll("<!-- -->", "")).toContain("1 email waits, and will be sent once");
  }
});
