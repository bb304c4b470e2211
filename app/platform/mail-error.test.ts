import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type MailServer, type MailServerMood, openMailServer } from "#test/mail-server.ts";
import { createMailer, type Mailer } from "./mail.server.ts";

let server: MailServer;
let send: Mailer;
const env = {
  mailFrom: "no-reply@kickabout.example",
  dataDir: "",
  appUrl: "http://kickabout.test",
};
beforeAll(async () => {
  server = await openMailServer();
  send = createMailer({ ...env, smtpUrl: server.url });
});
afterAll(() => server.close());
beforeEach(() => (server.mood = {}));

const mail = { key: "1", to: "ada@uni.example", subject: "S", html: "<p>H</p>", text: "H" };

const CASES: [string, MailServerMood, { failure: string; code: string }][] = [
  ["no such mailbox", { recipients: { ada: 550 } }, { failure: "rejected", code: "550" }],
  ["mailbox full, for good", { recipients: { ada: 552 } }, { failure: "rejected", code: "552" }],
  ["taken for spam", { message: 554 }, { failure: "rejected", code: "554" }],
  ["mailbox busy", { recipients: { ada: 450 } }, { failure: "deferred", code: "450" }],
  ["greylisted", { message: 451 }, { failure: "deferred", code: "451" }],
  ["closing at the address", { recipients: { ada: 421 } }, { failure: "unreachable", code: "421" }],
  ["we are not let in", { recipients: { ada: 530 } }, { failure: "unreachable", code: "530" }],
  ["wrong password", { auth: 535 }, { failure: "unreachable", code: "535" }],
  ["our sender is not allowed", { sender: 550 }, { failure: "unreachable", code: "550" }],
  ["our sender must wait", { sender: 451 }, { failure: "unreachable", code: "451" }],
  ["turned away at the door", { greeting: 554 }, { failure: "unreachable", code: "554" }],
  ["too many of us", { greeting: 421 }, { failure: "unreachable", code: "421" }],
  ["hangs up", { isClosing: true }, { failure: "unreachable", code: "ECONNECTION" }],
];

test.each(CASES)("%s", async (_, mood, expected) => {
  server.mood = mood;
  await expect(send(mail)).rejects.toMatchObject({ name: "MailError", ...expected });
});

test("the reason is one line, without the address", async () => {
  server.mood = { recipients: { ada: 550 } };
  await expect(send(mail)).rejects.toMatchObject({ message: "550 5.1.1 <[address]>: not now" });
});

test("what no server would take is final, a server that is not there is not", async () => {
  await expect(send({ ...mail, to: "" })).rejects.toMatchObject({ failure: "rejected" });
  const nowhere = createMailer({ ...env, smtpUrl: "smtp://127.0.0.1:1" });
  await expect(nowhere(mail)).rejects.toMatchObject({ failure: "unreachable", code: "ESOCKET" });
});

test("a mail that is taken goes out once", async () => {
  await send(mail);
  expect(server.taken).toHaveLength(1);
});
