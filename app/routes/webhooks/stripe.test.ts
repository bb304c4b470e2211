import fc from "fast-check";
import { symbols } from "pino";
import Stripe from "stripe";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks } from "#test/payments.ts";
import { balanceCents, ben, everything, NOW } from "#test/fixtures.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { describeError, log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { customer, event, type SentEvent, stripeId } from "#app/routes/demo/stripe-objects.ts";
import { malformed, EVENT_TYPES_READ, whole } from "#test/odd-stripe-events.ts";
import { action, loader } from "./stripe.ts";

/* The webhook as Stripe meets it, and others that pretend to be Stripe. SEED repeats a run. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
});

interface Signing {
  secret?: string;
  timestamp?: number;
  scheme?: string;
}

const secondsNow = () => Math.floor(Date.now() / 1_000);
const ourSecret = () => app.env.stripeWebhookSecrets[0]!;

function sign(payload: string, { scheme = "v1", ...signing }: Signing = {}): string {
  const usual = { payload, scheme, secret: ourSecret(), timestamp: secondsNow() };
  return Stripe.webhooks.generateTestHeaderString({ ...usual, ...signing });
}

/** Answers status and text as one. */
async function post(body: string, signature: string | null = sign(body), to = app) {
  const url = new URL("http://kickabout.test/webhooks/stripe");
  const headers = new Headers({ "Content-Type": "application/json" });
  if (signature !== null) headers.set("Stripe-Signature", signature);
  const request = new Request(url, { method: "POST", headers, body });
  const context = requestContext(to);
  const answer = await action({ request, context, url, pattern: url.pathname, params: {} });
  return `${answer.status} ${await answer.text()}`;
}

const send = (sent: SentEvent) => post(JSON.stringify(sent));
const REJECTED = "400 bad signature or body";

/** All that an event may move, as one value. */
async function stored(): Promise<string> {
  const events = await app.db.selectFrom("stripe_events").selectAll().orderBy("id").execute();
  return JSON.stringify([events, await everything(app.db)]);
}

test("an event that Stripe signed gets its outcome as the response", async () => {
  const userId = await ben(app.db);
  const story = singlePurchase(userId);
  expect(await send(story.refunded(999))).toBe("200 unmatched");
  expect(await send(story.completed)).toBe("200 applied");
  expect(await send(story.completed)).toBe("200 repeated");
  expect(await send(event("customer.updated", customer()))).toBe("200 ignored");
  expect(await send({ ...story.succeeded, livemode: true })).toBe("200 unmatched");
  expect(await balanceCents(app.db, userId)).toBe(0);
});

test("any of our secrets will do, while they are rotated", async () => {
  const userId = await ben(app.db);
  const rotating = { ...app, env: { ...app.env, stripeWebhookSecrets: ["whsec_a", "whsec_b"] } };
  for (const [secret, answer] of [
    ["whsec_a", "200 applied"],
    ["whsec_b", "200 applied"],
    ["whsec_c", REJECTED],
  ]) {
    const body = JSON.stringify(singlePurchase(userId).completed);
    expect(await post(body, sign(body, { secret }), rotating)).toBe(answer);
  }
  expect(await balanceCents(app.db, userId)).toBe(2_000);
});

describe("what is not signed by us, now, byte for byte", () => {
  const hexOf = (signature: string) => signature.slice(-64);
  const upperCased = (text: string) => text.replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase());

  test.each<[string, (body: string, other: string) => string | null]>([
    ["no signature", () => null],
    ["an empty one", () => ""],
    ["with another secret", (body) => sign(body, { secret: "whsec_another" })],
    ["with no secret at all", (body) => sign(body, { secret: " " })],
    ["of the body reformatted", (body) => sign(JSON.stringify(JSON.parse(body), null, 2))],
    ["of another body", (_, other) => sign(other)],
    ["301 seconds old", (body) => sign(body, { timestamp: secondsNow() - 301 })],
    ["of another scheme", (body) => sign(body, { scheme: "v0" })],
    ["cut short", (body) => sign(body).slice(0, -32)],
    ["in capitals", (body) => upperCased(sign(body))],
    ["without a time", (body) => `v1=${hexOf(sign(body))}`],
    ["with a garbled time", (body) => sign(body).replace("t=", "t=x")],
    ["with another time", (body) => sign(body).replace(/t=\d+/, `t=${secondsNow() - 1}`)],
    ["of nothing but a time", () => `t=${secondsNow()}`],
  ])("%s: 400, and nothing is stored", async (_, signature) => {
    const userId = await ben(app.db);
    const { completed, succeeded } = singlePurchase(userId);
    const [body, other] = [JSON.stringify(completed), JSON.stringify(succeeded)];
    const before = await stored();
    expect(await post(body, signature(body, other))).toBe(REJECTED);
    expect(await stored()).toBe(before);
    // It was only the signature.
    expect(await post(body)).toBe("200 applied");
  });

  test("300 bodies that were changed on the way", async () => {
    const body = JSON.stringify(singlePurchase(await ben(app.db)).completed);
    const signature = sign(body, { timestamp: secondsNow() + 200 });
    const before = await stored();
    const change = fc.tuple(fc.nat({ max: body.length }), fc.nat({ max: 4 }), fc.string());
    const property = fc.asyncProperty(change, async ([at, drop, put]) => {
      const changed = body.slice(0, at) + put + body.slice(at + drop);
      fc.pre(changed !== body);
      expect(await post(changed, signature)).toBe(REJECTED);
    });
    await fc.assert(property, { seed, numRuns: 300 });
    expect(await stored()).toBe(before);
  });
});

describe("signed, and odd", () => {
  const randomText = (count: number) =>
    fc.sample(fc.string({ unit: "binary-ascii", minLength: count, maxLength: count }), {
      seed,
      numRuns: 1,
    })[0]!;
  const odd = (fields: object) =>
    JSON.stringify({ ...event("invoice.paid", { id: stripeId("in") }), ...fields });
  const nested = (levels: number) =>
    odd({ data: { object: {} } }).replace("{}", `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`);

  test.each([
    ["no JSON", "evt_1"],
    ["nothing", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["without an object", odd({ data: {} })],
    ["an object that is null", odd({ data: { object: null } })],
    ["an id of 10 kB", odd({ id: `evt_${randomText(10_000)}` })],
    ["an id with a NUL", odd({ id: "evt_\0" })],
    ["an id with half a character", odd({ id: "evt_\ud800" })],
    ["a type with a NUL", odd({ type: "invoice.paid\0" })],
    ["a time after the end of time", odd({ created: Number.MAX_SAFE_INTEGER })],
    ["a time before the calendar", odd({ created: -300_000_000_000 })],
    ["nested 1,000 deep", nested(1_000)],
    ["nested 400,000 deep", nested(400_000)],
  ])("%s: 400, and nothing is stored", async (_, body) => {
    const before = await stored();
    expect(await post(body)).toBe(REJECTED);
    expect(await stored()).toBe(before);
  });

  const own = JSON.parse('{"__proto__":{"id":"in_1"},"constructor":{"prototype":1}}');
  const tenKB = { id: randomText(10_000).replaceAll(/\W/g, "x") };

  test.each<[string, object, object?]>([
    ["a NUL", { note: "a\0b", "a\0b": 1 }, { note: "a\ufffdb", "a\ufffdb": 1 }],
    ["half a character", { note: "\ud83d ⚽ \udc00" }, { note: "\ufffd ⚽ \ufffd" }],
    ["a written-out escape", { note: "\\u0000 \\\\ud800 \\" }],
    ["an id with a NUL", { id: "in_\0" }, { id: "in_\ufffd" }],
    ["an id of 10 kB", tenKB],
    ["a number beyond all", { amount_paid: 1e308 }],
    ["a prototype", own],
  ])("%s in its object: kept for an admin", async (_, object, kept = object) => {
    const sent = event("checkout.session.completed", object);
    expect(await send(sent)).toBe("200 unmatched");
    const { payload } = await app.db
      .selectFrom("stripe_events")
      .select("payload")
      .where("id", "=", sent.id)
      .executeTakeFirstOrThrow();
    expect(payload).toEqual({ ...sent, data: { object: kept } });
  });

  test.each(["constructor", "__proto__", "toString", "a.new.type"])(
    "of the type %s: of no interest",
    async (type) => {
      expect(await post(odd({ type }))).toBe("200 ignored");
    },
  );

  test.each(EVENT_TYPES_READ)("%s, malformed: 200, and no wallet changes", async (type) => {
    const before = await everything(app.db);
    const sound = whole(type, stripeId("cs_test"));
    const property = fc.asyncProperty(malformed(sound), async (object) => {
      const answer = await post(JSON.stringify(event(type, object)));
      expect(answer).toMatch(/^200 (applied|unmatched|ignored)$/);
    });
    const examples: [object][] = [[{ ...sound, status: "\0" }]];
    await fc.assert(property, { seed, numRuns: 40, examples });
    expect(await everything(app.db)).toEqual(before);
  });

  test("about a payment of ours, malformed: 200, and the books stay right", async () => {
    const { id, completed } = singlePurchase(await ben(app.db));
    await send(completed);
    const returns = EVENT_TYPES_READ.filter((type) => type.startsWith("charge."));
    const cases = fc
      .constantFrom(...returns)
      .chain((type) => fc.tuple(fc.constant(type), malformed(whole(type, id))));
    const property = fc.asyncProperty(cases, async ([type, object]) => {
      expect(await post(JSON.stringify(event(type, object)))).toMatch(/^200 (applied|unmatched)$/);
    });
    const tooMuch = { ...whole("charge.refunded", id), amount_refunded: 2 ** 53 - 1 };
    await fc.assert(property, { seed, numRuns: 200, examples: [[["charge.refunded", tooMuch]]] });
    expect((await checkBooks(app.db)).differences).toEqual([]);
  });
});

test("a database that is away: Stripe shall send it again", async () => {
  const away = openDatabase({ host: "127.0.0.1", port: 1 });
  const body = JSON.stringify(singlePurchase(await ben(app.db)).completed);
  await expect(post(body, sign(body), { ...app, db: away.db })).rejects.toThrow("ECONNREFUSED");
  await away.close();
  expect(await post(body)).toBe("200 applied");
});

test("a visit by a browser: 405", () => {
  const answer = loader();
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
});

test("the log holds no secret, signature, address or body", async () => {
  const stream = Reflect.get(log, symbols.streamSym) as { write(line: string): void };
  const lines: string[] = [];
  const write = vi.spyOn(stream, "write").mockImplementation((line) => void lines.push(line));
  const { level } = log;
  log.level = "trace";
  const mail = { customer_email: "aino@uni.example", customer_details: { name: "Aino Aalto" } };
  const sent = singlePurchase(null, mail as object).completed;
  const body = JSON.stringify(sent);
  const signature = sign(body);
  await post(body, signature);
  await post(body, `${signature}0`);
  await post(`${body} `, signature);
  const away = openDatabase({ host: "127.0.0.1", port: 1 });
  const error = await post(body, signature, { ...app, db: away.db }).catch((thrown) => thrown);
  log.error({ err: error });
  await away.close();
  Object.assign(log, { level });
  write.mockRestore();
  const output = lines.join("") + JSON.stringify(describeError(error));
  expect(output).toContain(sent.id);
  for (const private_ of [ourSecret(), signature.slice(-64), "aino", "Aalto", "payment_status"]) {
    expect(output).not.toContain(private_);
  }
});
