import { expect, test } from "vitest";
import { readInboundMail } from "./inbound-mail.server.ts";

const read = (text: string) => readInboundMail(new TextEncoder().encode(text));
const mail = (headers: string, body = "Hi") =>
  read(`From: Ada <ADA@uni.example>\r\nTo: Support+1@K.example\r\n${headers}\r\n\r\n${body}`);

test("an email's sender, recipients and text are read", async () => {
  expect(
    await mail("Cc: x@k.example, Y <y@k.example>\r\nDelivered-To: d@k.example\r\nSubject: s"),
  ).toMatchObject({
    from: "ADA@uni.example",
    recipients: ["support+1@k.example", "x@k.example", "y@k.example", "d@k.example", ""],
    text: "Hi\n",
    attachments: 0,
    isAutomatic: false,
  });
});

test("the same Message-ID is the same key, and without one the same bytes", async () => {
  const keyOf = async (headers: string, body: string) => (await mail(headers, body))?.key;
  const id = "Message-ID: <1@uni.example>";
  expect(await keyOf(id, "a")).toBe(await keyOf(id, "b"));
  expect(await keyOf("Subject: s", "a")).toBe(await keyOf("Subject: s", "a"));
  expect(await keyOf("Subject: s", "a")).not.toBe(await keyOf("Subject: s", "b"));
});

test.each([
  ["Auto-Submitted: auto-replied", true],
  ["Precedence: bulk", true],
  ["Auto-Submitted: no", false],
])("%s is automatic: %s", async (header, isAutomatic) => {
  expect((await mail(header))?.isAutomatic).toBe(isAutomatic);
});

test("HTML alone becomes text, also nested without end", async () => {
  const html = (body: string) => mail("Content-Type: text/html", body);
  expect((await html("<p>One</p><p>Two <b>three</b></p>"))?.text).toMatch(/One\s+Two three/);
  expect(await html("<div>".repeat(40_000))).not.toBeNull();
});

test("of an email that is cut off within its attachment the text is there", async () => {
  const parts = [
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello",
    "--b\r\nContent-Type: image/jpeg\r\nContent-Disposition: attachment; filename=a.jpg\r\n" +
      "Content-Transfer-Encoding: base64\r\n\r\nAAAA",
  ];
  const cut = await read(`From: a@b.example\r\n${parts.join("\r\n")}`);
  expect(cut).toMatchObject({ text: "Hello\n", attachments: 1 });
});

test.each(["", "nothing like an email", "\0\0\0"])("%j is no email", async (text) => {
  expect(await read(text)).toBeNull();
});
