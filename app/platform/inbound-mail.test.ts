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
  const mailKey = async (headers: string, body: string) => (await mail(headers, body))?.key;
  const id = "Message-ID: <1@uni.example>";
  expect(await mailKey(id, "a")).toBe(await mailKey(id, "b"));
  expect(await mailKey("Subject: s", "a")).toBe(await mailKey("Subject: s", "a"));
  expect(await mailKey("Subject: s", "a")).not.toBe(await mailKey("Subject: s", "b"));
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

const photo = (id: string) =>
  "--b\r\nContent-Type: image/jpeg\r\nContent-Disposition: inline; filename=a.jpg\r\n" +
  `Content-Transfer-Encoding: base64\r\n${id}\r\nAAAA\r\n`;
const WITH_LOGO = '--b\r\nContent-Type: text/html\r\n\r\nHi <img src="cid:logo@uni.example">\r\n';

test.each([
  ["a photo alone", photo(""), 1],
  ["two photos that are named", photo("Content-ID: <1@a>\r\n") + photo("Content-ID: <2@a>\r\n"), 2],
  ["a picture of its text", WITH_LOGO + photo("Content-ID: <logo@uni.example>\r\n"), 0],
  ["a photo below its text", WITH_LOGO + photo("Content-ID: <photo@uni.example>\r\n"), 1],
])(
  "of an email with %s, the inline files outside its text are counted",
  async (_, parts, count) => {
    const related = await mail("Content-Type: multipart/related; boundary=b", `${parts}--b--`);
    expect(related?.attachments).toBe(count);
  },
);

test.each(["", "nothing like an email", "\0\0\0"])("%j is no email", async (text) => {
  expect(await read(text)).toBeNull();
});

const ANSWER_BELOW =
  "On Sat, 28 Nov 2026, Kickabout wrote:\r\n> Which door did you \r\n> stand at? \r\nThe one by \r\nthe stands.";
const FLOWED = "Content-Type: text/plain; charset=utf-8; format=flowed";

test.each([
  [
    "below a quote",
    ANSWER_BELOW,
    /\n> Which door did you stand at\? ?\nThe one by the stands\.\s*$/,
  ],
  ["above a quote", "Left \r\ndoor. \r\n> Which \r\n> door?", /^Left door\. ?\n> Which door\?\s*$/],
  ["between quotes", "> a \r\nb \r\n> c \r\nd", /^> a ?\nb ?\n> c ?\nd\s*$/],
  ["of two depths", ">> a \r\n> b \r\n>> c", /^>> a ?\n> b ?\n>> c\s*$/],
  ["with a signature", "Hi \r\n-- \r\nAda", /^Hi ?\n-- \nAda\s*$/],
  ["with lines that begin with signs", " > 5 \r\n From Ada", /^ > 5 From Ada\s*$/],
])("flowed text %s is unfolded within its own depth only", async (_, body, text) => {
  expect((await mail(FLOWED, body))?.text).toMatch(text);
});

test("flowed text is found in each way in which its part may be written", async () => {
  const flowed = "> a \r\nb=20\r\nc";
  const folded = 'Content-Type: text/plain;\r\n\tcharset=utf-8;\r\n\tFormat="Flowed"; delsp=YES';
  const quoted = "Content-Transfer-Encoding: quoted-printable";
  expect((await mail(`${folded}\r\n${quoted}`, flowed))?.text).toMatch(/^> a ?\nbc\s*$/);
  const base64 = `Content-Transfer-Encoding: base64\r\n\r\n${btoa("> a \r\nb \r\nc")}`;
  const parts = `--x\r\n${FLOWED}\r\n${base64}\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>b c</p>`;
  const multipart = await mail(
    "Content-Type: multipart/alternative; boundary=x",
    `${parts}\r\n--x--`,
  );
  expect(multipart?.text).toMatch(/^> a ?\nb c\s*$/);
});

test("fixed text stays as it is, also where it is about flowed text", async () => {
  const body = "> a \nb \nc\nContent-Type: text/plain; format=flowed\n";
  expect((await mail("Content-Type: text/plain", body.replaceAll("\n", "\r\n")))?.text).toBe(body);
});
