import { connect, type Socket } from "node:net";
import { expect, test } from "../fixtures.ts";
import { type Site, startSite } from "../site.ts";

/** What a network may keep waiting at a time, and a few more. */
const [HELD, MORE] = [300, 12];
const BODY = "intent=sign-in&email=nobody%40uni.example&password=Wrong-Otter-1&x=";
const LENGTH = 15_000;
const HEAD = [
  "POST /auth HTTP/1.1",
  "Host: 127.0.0.1",
  "Content-Type: application/x-www-form-urlencoded",
  `Content-Length: ${LENGTH}`,
];

let site: Site;
const clients: Socket[] = [];
test.beforeAll(async () => (site = await startSite()));
test.afterAll(async () => {
  for (const client of clients) client.destroy();
  await site.stop();
});

test("a network that holds back hundreds of small forms is rejected, and others' forms are read", async () => {
  const senders = Array.from({ length: HELD + MORE }, () => startForm());
  const answered = () => senders.filter(({ text }) => text() !== "");
  await expect.poll(() => answered().length).toBe(MORE);
  for (const { text } of answered()) {
    expect(text()).toMatch(/^HTTP\/1.1 429 .*\r\nretry-after: 10\r\n/is);
    expect(text()).toMatch(/\r\nconnection: close\r\n/i);
  }
  const whole = startForm(true);
  await expect.poll(whole.text).toMatch(/^HTTP\/1.1 401 /);
  expect(answered()).toHaveLength(MORE);
  const held = senders.filter(({ text }) => text() === "");
  held[0]!.finish();
  await expect.poll(held[0]!.text).toMatch(/^HTTP\/1.1 401 /);
  const next = startForm();
  const over = startForm();
  await expect
    .poll(() => [next, over].map(({ text }) => text().slice(0, 12)).sort())
    .toEqual([...["", "HTTP/1.1 429"]]);
});

/** Sends all of a form but its end. */
function startForm(isWhole = false) {
  const client = connect(Number(new URL(site.url).port), "127.0.0.1");
  clients.push(client);
  let text = "";
  client.on("error", () => {});
  client.setEncoding("latin1").on("data", (part: string) => (text += part));
  const form = BODY.padEnd(LENGTH, "x");
  client.write(`${HEAD.join("\r\n")}\r\n\r\n${isWhole ? form : form.slice(0, 14_000)}`);
  return { text: () => text, finish: () => client.write(form.slice(14_000)) };
}
