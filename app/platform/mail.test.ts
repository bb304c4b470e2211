import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createElement } from "react";
import PostalMime from "postal-mime";
import { afterAll, expect, test } from "vitest";
import { openMailServer } from "#test/mail-server.ts";
import { createMailer, encrypted, type Mail, renderMail, listOutbox } from "./mail.server.ts";
import { mails } from "./observability/metrics.server.ts";

const dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-mail-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const env = {
  smtpUrl: undefined,
  mailFrom: "Kickabout <no-reply@kickabout.example>",
  dataDir,
  appUrl: "https://kickabout.example",
};
const mail: Mail = {
  key: "booking-confirmed:1",
  to: "ada@uni.example",
  subject: "You're in: Thu 19:00 – Töölö",
  html: '<p>Hi <a href="https://kickabout.example/events/1?a=1&amp;b=2">Open</a></p>',
  text: "Hi",
};

test("without SMTP a mail lies in the outbox, its first link its action", async () => {
  await createMailer(env)(mail);
  expect(await listOutbox(dataDir)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      to: "ada@uni.example",
      subject: mail.subject,
      text: expect.stringMatching(/^Hi\s*$/),
      action: "https://kickabout.example/events/1?a=1&b=2",
      writtenAt: expect.any(Date),
    },
  ]);
});

test("the same mail twice is one, and half a mail is never seen", async () => {
  const send = createMailer(env);
  await Promise.all([send(mail), send(mail)]);
  await send({ ...mail, key: "booking-confirmed:2" });
  expect(await listOutbox(dataDir)).toHaveLength(2);
  expect(readdirSync(path.join(dataDir, "outbox")).filter((name) => name.startsWith("."))).toEqual(
    [],
  );
});

test("an answer may go to somebody else, and a deleted account gets nothing", async () => {
  const folder = path.join(dataDir, "replies");
  const send = createMailer({ ...env, dataDir: folder });
  await send({ ...mail, replyTo: "ada@uni.example" });
  await send({ ...mail, key: "2", to: "deleted-1@deleted.invalid" });
  const [name, ...others] = readdirSync(path.join(folder, "outbox"));
  expect(others).toEqual([]);
  const written = readFileSync(path.join(folder, "outbox", name ?? ""), "utf8");
  expect(written).toContain("Reply-To: ada@uni.example");
});

test("a file comes as an attachment of its own type, beside the text and not in its place", async () => {
  const folder = path.join(dataDir, "files");
  const contentType = "text/calendar; charset=utf-8; method=PUBLISH";
  const file = { filename: "game.ics", content: "BEGIN:VCALENDAR\r\nX:ä\r\n", contentType };
  await createMailer({ ...env, dataDir: folder })({ ...mail, attachments: [file] });
  const [name = ""] = readdirSync(path.join(folder, "outbox"));
  const written = readFileSync(path.join(folder, "outbox", name), "utf8");
  expect(written).toMatch(/^Content-Type: multipart\/mixed/m);
  expect(written).toMatch(/^Content-Disposition: attachment; filename=game\.ics\r$/m);
  const read = await PostalMime.parse(written);
  expect(read.text).toMatch(/^Hi/);
  expect(read.attachments.map(({ mimeType, method }) => [mimeType, method])).toEqual([
    ["text/calendar", "PUBLISH"],
  ]);
  expect(written).toContain(Buffer.from(file.content).toString("base64"));
  const [listed] = await listOutbox(folder);
  expect(listed?.action).toBe("https://kickabout.example/events/1?a=1&b=2");
});

test("an outbox that is not there yet is empty", async () => {
  expect(await listOutbox(path.join(dataDir, "nowhere"))).toEqual([]);
});

test("an SMTP server that does not answer rejects, so that the job is tried again", async () => {
  const send = createMailer({ ...env, smtpUrl: "smtp://127.0.0.1:1" });
  await expect(send(mail)).rejects.toThrow("ECONNREFUSED");
});

test("each attempt is counted by its result, and what was never sent is not", async () => {
  const count = async () => {
    const { values } = await mails.get();
    return new Map(values.map(({ labels, value }) => [labels.result, value]));
  };
  const server = await openMailServer();
  const before = await count();
  const send = createMailer({ ...env, smtpUrl: server.url });
  await send(mail);
  await send({ ...mail, key: "2" });
  await send({ ...mail, key: "3", to: "deleted-1@deleted.invalid" });
  server.mood.recipients = { ada: 550 };
  await expect(send({ ...mail, key: "4" })).rejects.toMatchObject({ failure: "rejected" });
  await server.close();
  await expect(send({ ...mail, key: "5" })).rejects.toMatchObject({ failure: "unreachable" });
  const after = await count();
  const grown = (result: string) => after.get(result)! - (before.get(result) ?? 0);
  expect(["sent", "rejected", "unreachable"].map(grown)).toEqual([2, 1, 1]);
});

test.each([
  ["smtp://user:pass@mail.example:587", "smtp://user:pass@mail.example:587?requireTLS=true"],
  ["smtp://mail.example?pool=true", "smtp://mail.example?pool=true&requireTLS=true"],
  ["smtps://mail.example", "smtps://mail.example?requireTLS=true"],
  ["smtp://relay.internal?ignoreTLS=true", "smtp://relay.internal?ignoreTLS=true"],
  ["smtp://localhost:2525", "smtp://localhost:2525"],
  ["smtp://127.0.0.1", "smtp://127.0.0.1"],
])("another machine's mail server has to encrypt: %s", (given, used) => {
  expect(encrypted(given)).toBe(used);
});

test("a mail server that has to encrypt and does not gets neither password nor mail", async () => {
  const server = await openMailServer();
  const smtpUrl = `${server.url}?requireTLS=true`;
  await expect(createMailer({ ...env, smtpUrl })(mail)).rejects.toMatchObject({
    failure: "unreachable",
  });
  expect(server.taken).toEqual([]);
  await server.close();
});

test("the plain text of a mail leaves out what is hidden, and has a line for each cell and a link's address", async () => {
  const link = createElement("a", { href: "https://x.example/a" }, "Open");
  const cells = ["one", "two"].map((word) => createElement("td", { key: word }, word));
  const row = createElement("tr", null, cells);
  const hidden = createElement("div", { "data-skip-in-text": "true" }, "preview");
  const table = createElement("table", null, createElement("tbody", null, row));
  const { text } = await renderMail("S", createElement("div", null, hidden, table, link));
  expect(text).toBe("one\ntwo\n\nOpen https://x.example/a");
});

test("a mail says the same in HTML and in plain text", async () => {
  const { subject, html, text } = await renderMail("S", createElement("p", null, "1 < 2 & more"));
  expect(subject).toBe("S");
  expect(html).toMatch(/^<!DOCTYPE html PUBLIC "[^>]+><p>/);
  expect(html).toContain("1 &lt; 2 &amp; more");
  expect(text).toContain("1 < 2 & more");
});
