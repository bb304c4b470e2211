import Stripe from "stripe";
import { expect, test } from "vitest";
import { seededRandom } from "#test/dice.ts";
import { isLiveKey, openStripe, readSignedEvent } from "./stripe.server.ts";

const SECRET = "whsec_ours";
const BODY = JSON.stringify({
  id: "evt_1",
  object: "event",
  type: "invoice.paid",
  created: 1_795_000_000,
  data: { object: { id: "in_1", note: "kenttä ⚽" } },
});
const seconds = () => Math.floor(Date.now() / 1_000);
const sign = (payload = BODY, secret = SECRET, timestamp = seconds(), scheme = "v1") =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme });
const read = (body: string, signature: string | null, secrets = [SECRET]) =>
  readSignedEvent(body, signature, secrets);

test("what Stripe signed is read, by any of our secrets and any of its signatures", () => {
  const event = JSON.parse(BODY);
  const stale = `v1=${"0".repeat(64)}`;
  expect(read(BODY, sign())).toEqual(event);
  expect(read(BODY, sign(), ["whsec_next", SECRET])).toEqual(event);
  expect(read(BODY, sign(), ["", SECRET])).toEqual(event);
  expect(read(BODY, `${sign()},${stale}`)).toEqual(event);
  expect(read(BODY, sign().replace(",", `,${stale},`))).toEqual(event);
  expect(read(BODY, `${sign()},v0=6ffbb59b`)).toEqual(event);
  expect(read(BODY, `${sign()},v2=as+d/f==`)).toEqual(event);
  expect(read(BODY, sign(BODY, SECRET, seconds() - 299))).toEqual(event);
  expect(read(BODY, sign(BODY, SECRET, seconds() + 299))).toEqual(event);
});

const signed = sign();
const hex = signed.slice(-64);
const now = seconds();
test.each([
  ["no header", BODY, null],
  ["an empty header", BODY, ""],
  ["a garbled header", BODY, "whatever"],
  ["another secret", BODY, sign(BODY, "whsec_another")],
  ["a secret with space around it", BODY, sign(BODY, ` ${SECRET}\n`)],
  ["the body written anew", JSON.stringify(JSON.parse(BODY), null, 2), signed],
  ["a signature of another body", BODY, sign(BODY.replace("in_1", "in_2"))],
  ["signed 301 seconds ago", BODY, sign(BODY, SECRET, now - 301)],
  ["signed an hour ahead", BODY, sign(BODY, SECRET, now + 3_600)],
  ["an endless header", BODY, `${signed}${`,v1=${hex}`.repeat(20)}`],
  ["only a test scheme", BODY, sign(BODY, SECRET, now, "v0")],
  ["half of the signature", BODY, signed.slice(0, -32)],
  ["the signature in capitals", BODY, signed.replace(hex, hex.toUpperCase())],
  ["no time", BODY, `v1=${hex}`],
  ["a time that is no number", BODY, `t=now,v1=${hex}`],
  ["a time that only begins as a number", BODY, signed.replace(",", "s,")],
  ["no signature", BODY, `t=${now}`],
  ["two times", BODY, `t=${now},${signed}`],
  ["no body", "", sign("")],
])("%s is refused", (_, body, header) => {
  expect(read(body, header)).toBeNull();
});

test("without a secret nothing is believed", () => {
  expect(read(BODY, sign(), [])).toBeNull();
  expect(read(BODY, sign(BODY, "x"), ["", " "])).toBeNull();
});

test.each([
  "not JSON",
  "null",
  "[]",
  '"evt_1"',
  "{}",
  '{"id":1,"type":"invoice.paid","created":1,"data":{"object":{}}}',
  '{"id":"","type":"invoice.paid","created":1,"data":{"object":{}}}',
  '{"id":"evt_1","created":1,"data":{"object":{}}}',
  '{"id":"evt_1","type":"invoice.paid","data":{"object":{}}}',
  '{"id":"evt_1","type":"invoice.paid","created":"1","data":{"object":{}}}',
  '{"id":"evt_1","type":"invoice.paid","created":1}',
  '{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":[]}}',
  '{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":"in_1"}}',
  '{"id":"evt_1","object":"v2.core.event","type":"v1.x","created":1,"data":{"object":{}}}',
])("signed, and no event: %s", (body) => {
  expect(read(body, sign(body))).toBeNull();
});

test("no event among 10,000 that were changed on the way, and no exception", () => {
  const random = seededRandom(20_261_121);
  const header = sign();
  const wrong: string[] = [];
  let changed = 0;
  for (let n = 0; n < 10_000; n += 1) {
    const body = random() < 0.6 ? mutate(BODY, random) : BODY;
    const signature = body === BODY || random() < 0.2 ? mutate(header, random) : header;
    const isSame = body === BODY && signature === header;
    if ((read(body, signature) !== null) !== isSame) wrong.push(`${signature}\n${body}`);
    if (!isSame) changed += 1;
  }
  expect(wrong).toEqual([]);
  expect(changed).toBeGreaterThan(9_000);
});

test("a client of the version that its types describe, without telemetry", () => {
  const stripe = openStripe("sk_test_1", { host: "127.0.0.1", port: 4_242, protocol: "http" });
  expect(stripe.getApiField("version")).toBe(Stripe.API_VERSION);
  expect(stripe.getApiField("timeout")).toBe(10_000);
  expect(stripe.getApiField("maxNetworkRetries")).toBe(2);
  expect(stripe.getApiField("host")).toBe("127.0.0.1");
  expect(stripe.getTelemetryEnabled()).toBe(false);
});

test("live keys are told from test keys", () => {
  expect(["sk_live_1", "rk_live_1"].map(isLiveKey)).toEqual([true, true]);
  expect(["sk_test_1", "rk_test_live_", "xsk_live_", "", undefined].map(isLiveKey)).toEqual(
    Array(5).fill(false),
  );
});

/** One to three flips, insertions, deletions or truncations. */
function mutate(text: string, random: () => number): string {
  const characters = [...text];
  const at = () => Math.floor(random() * characters.length);
  const character = () => String.fromCharCode(32 + Math.floor(random() * 95));
  const changes = 1 + Math.floor(random() * 3);
  for (let n = 0; n < changes; n += 1) {
    const kind = random();
    if (kind < 0.35) characters[at()] = character();
    else if (kind < 0.6) characters.splice(at(), 0, character());
    else if (kind < 0.85) characters.splice(at(), 1 + Math.floor(random() * 4));
    else characters.length = at();
  }
  return characters.join("");
}
