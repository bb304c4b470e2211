import { symbols } from "pino";
import Stripe from "stripe";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { requestContext, testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { PACK, secondsAt, singlePurchase, somePacks } from "../../../test/payments.ts";
import { balanceCents, ben, everything, NOW } from "../../../test/world.ts";
import { openDatabase } from "../../platform/db.server.ts";
import { describeError, log } from "../../platform/log.server.ts";
import type { App } from "../context.server.ts";
import { customer, event, type SentEvent } from "../demo/stripe-objects.ts";
import { action, loader } from "./stripe.ts";

/* The webhook as Stripe, and whoever pretends to be Stripe, meets it. */
const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
});

const SECOND = 1_000;
const seconds = () => Math.floor(Date.now() / SECOND);

interface Signing {
  secret?: string;
  timestamp?: number;
  scheme?: string;
}

function sign(payload: string, signing: Signing = {}): string {
  const { secret = app.env.stripeWebhookSecrets[0]!, timestamp = seconds(), scheme } = signing;
  const given = { payload, secret, timestamp };
  return Stripe.webhooks.generateTestHeaderString(scheme ? { ...given, scheme } : given);
}

async function post(body: string, signature: string | null = sign(body), to = app) {
  const url = new URL("http://kickabout.test/webhooks/stripe");
  const headers = { "Content-Type": "application/json" };
  const request = new Request(url, {
    method: "POST",
    headers: signature === null ? headers : { ...headers, "Stripe-Signature": signature },
    body,
  });
  const context = requestContext(to);
  const answer = await action({ request, context, url, pattern: url.pathname, params: {} });
  return `${answer.status} ${await answer.text()}`;
}

const send = (sent: SentEvent, to = app) => post(JSON.stringify(sent), undefined, to);
const events = () => app.db.selectFrom("stripe_events").selectAll().orderBy("id").execute();
const stored = async () => JSON.stringify([await events(), await everything(app.db)]);

test("explore", async () => {
  const base = (fields: object) => JSON.stringify({ id: "evt_x" + Math.random(), object: "event", type: "invoice.paid", created: 1_795_000_000, livemode: false, data: { object: {} }, ...fields });
  const rnd = (n: number) => Array.from({ length: n }, () => Math.random().toString(36)[2]).join("");
  const deep = (n: number) => `{"id":"evt_deep${n}","object":"event","type":"invoice.paid","created":1795000000,"livemode":false,"data":{"object":{"a":${"[".repeat(n)}${"]".repeat(n)}}}}`;
  const cases: Record<string, string> = {
    idNul: base({ id: "evt_\0" }),
    idLong: base({ id: "evt_" + rnd(10_000) }),
    idLong2: base({ id: "evt_" + "a".repeat(10_000) }),
    idSurrogate: base({ id: "evt_\ud800" }),
    typeNul: base({ type: "a\0" }),
    typeLong: base({ type: rnd(10_000) }),
    createdHuge: base({ created: Number.MAX_SAFE_INTEGER }),
    createdNeg: base({ created: -62_200_000_000_0 }),
    createdNeg2: base({ created: -300_000_000_000 }),
    objectIdNul: base({ data: { object: { id: "in_\0" } } }),
    objectIdLong: base({ data: { object: { id: rnd(10_000) } } }),
    payloadNul: base({ data: { object: { note: "a\0b" } } }),
    payloadNulKey: base({ data: { object: { "a\0b": 1 } } }),
    payloadSurrogate: base({ data: { object: { note: "a\ud800b" } } }),
    proto: `{"id":"evt_p","object":"event","type":"invoice.paid","created":1795000000,"livemode":false,"data":{"object":{"__proto__":{"id":"in_1"}}}}`,
    bigNumber: base({ data: { object: { n: 1e308 } } }),
    d1000: deep(1000), d5000: deep(5000), d20000: deep(20000), d100000: deep(100_000), d400000: deep(400_000),
  };
  for (const [name, body] of Object.entries(cases)) {
    const answer = await post(body).catch((e) => `THROWS ${e.code} ${String(e.message).slice(0, 100)}`);
    console.log(name, answer);
  }
});
