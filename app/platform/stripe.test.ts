import fc from "fast-check";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { dashboardUrl, isLiveKey, openStripe, readSignedEvent } from "./stripe.server.ts";

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
  ["the body written again", JSON.stringify(JSON.parse(BODY), null, 2), signed],
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
])("%s is rejected", (_, body, header) => {
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
  const header = sign();
  const sent = fc.oneof(
    fc.record({ body: changed(BODY), signature: fc.constant(header) }),
    fc.record({ body: fc.constant(BODY), signature: changed(header) }),
    fc.record({ body: changed(BODY), signature: changed(header) }),
  );
  const property = fc.property(sent, ({ body, signature }) => {
    fc.pre(body !== BODY || signature !== header);
    expect(read(body, signature)).toBeNull();
  });
  fc.assert(property, { numRuns: 10_000 });
});

/** One to three characters overwritten, put in or taken out, or the text cut off. */
function changed(text: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(text.length - 1),
    drop: fc.oneof(fc.nat(4), fc.constant(text.length)),
    put: fc.string({ maxLength: 1 }),
  });
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce(
        (now, { at, drop, put }) => now.slice(0, at) + put + now.slice(at + drop),
        text,
      ),
    );
}

test("a client of the version that its types describe, without telemetry", () => {
  const stripe = openStripe("sk_test_1", { host: "127.0.0.1", port: 4_242, protocol: "http" });
  expect(stripe.getApiField("version")).toBe(Stripe.API_VERSION);
  expect(stripe.getApiField("timeout")).toBe(10_000);
  expect(stripe.getApiField("maxNetworkRetries")).toBe(2);
  expect(stripe.getApiField("host")).toBe("127.0.0.1");
  expect(stripe.getTelemetryEnabled()).toBe(false);
});

test("live keys are distinguished from test keys", () => {
  expect(["sk_live_1", "rk_live_1"].map(isLiveKey)).toEqual([true, true]);
  expect(["sk_test_1", "rk_test_live_", "xsk_live_", "", undefined].map(isLiveKey)).toEqual(
    Array(5).fill(false),
  );
});

test("a payment's page in the dashboard is that of its mode", () => {
  const payment = { paymentIntentId: "pi_1", stripeObjectId: "cs_1" };
  expect(dashboardUrl(payment, "sk_live_1")).toBe("https://dashboard.stripe.com/payments/pi_1");
  expect(dashboardUrl({ ...payment, paymentIntentId: null }, "sk_test_1")).toBe(
    "https://dashboard.stripe.com/test/search?query=cs_1",
  );
});
