import { beforeAll, expect, test } from "vitest";
import { addPack, ANY_AMOUNT_PACK, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { urlOf } from "#test/postgres.ts";
import { runScript } from "#test/commands.ts";
import { ben } from "#test/fixtures.ts";

const database = useDatabase();
const fake = useFakeStripe();

// The cheapest first, as the command lists them.
const SOLD = [ANY_AMOUNT_PACK, ...DEFAULT_PACKS];

beforeAll(async () => {
  for (const pack of DEFAULT_PACKS) await addPack(database.db, pack);
});

/** Runs one of the commands in a process of its own, whose Stripe is the fake. */
async function command(script: string, args: string[] = [], env: Record<string, string> = {}) {
  const { out, ...rest } = await runScript(script, args, {
    node: ["--import", fakeStripe()],
    env: {
      DATABASE_URL: urlOf(database.connection),
      DEMO: "1",
      APP_URL: "https://k.example",
      STRIPE_SECRET_KEY: "sk_test_1",
      ...env,
    },
  });
  return { ...rest, out: out.trimEnd().split("\n") };
}

/** A module that leads requests to Stripe to the fake, and any other nowhere. */
function fakeStripe(): string {
  const { host, port } = fake.options;
  const source = `
    import http from "node:http";
    import https from "node:https";
    https.request = (asked, done) => {
      if (asked.host !== "api.stripe.com") throw new Error("no request to " + asked.host);
      const { agent, ...rest } = asked;
      return http.request({ ...rest, host: "${host}", port: ${port} }, done);
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

test("stripe:links prints a line for each pack, and fails where a link is off the prefix", async () => {
  const first = await command("stripe-links.ts");
  expect(first).toMatchObject({ code: 0, problems: "" });
  expect(first.out.map((line) => line.replace(/\w+$/, ""))).toEqual(
    SOLD.map(({ pack_key }) => `${pack_key}: made https://buy.stripe.com/`),
  );
  const kept = first.out.map((line) => line.replace("made", "kept"));
  expect(await command("stripe-links.ts")).toEqual({ code: 0, problems: "", out: kept });
  const off = await command("stripe-links.ts", [], { PAYMENT_LINK_PREFIX: "https://pay.k/" });
  expect(off.code).toBe(1);
  expect(off.out).toHaveLength(10);
  expect(off.out.slice(0, 2)).toEqual([
    first.out[0]!.replace("made", "rejected"),
    "  that is not below https://pay.k/; set PAYMENT_LINK_PREFIX and run it again",
  ]);
});

test("stripe:reconcile ends with 0 when both sides agree and with 1 when they differ", async () => {
  const { stripe_payment_link_id: payment_link } = await database.db
    .selectFrom("credit_packs")
    .select("stripe_payment_link_id")
    .where("pack_key", "=", "pay_per_game")
    .executeTakeFirstOrThrow();
  const bought = singlePurchase(await ben(database.db), { payment_link });
  const session = bought.completed.data.object as { id: string; object: string; created: number };
  fake.objects.set(session.id, { ...session });
  expect(await command("stripe-reconcile.ts", ["--days", "30"])).toEqual({
    code: 1,
    problems: "",
    out: [
      `${session.id}: 9.99 EUR at Stripe, nothing here`,
      "Payments of 30 days: stripe 1 of 9.99, here 0 of 0.00; events replayed: none; unmatched: 0; differences: 1",
    ],
  });
  await deliverEvents(database, bought.completed);
  expect(await command("stripe-reconcile.ts")).toEqual({
    code: 0,
    problems: "",
    out: [
      "Payments of 7 days: stripe 1 of 9.99, here 1 of 9.99; events replayed: none; unmatched: 0; differences: 0",
    ],
  });
  const quiet = await command("stripe-reconcile.ts", ["--quiet"]);
  expect(quiet).toEqual({ code: 0, problems: "", out: [""] });
});

test.each([
  ["an error of Stripe's", {}, [], "Stripe: Too many requests\n"],
  ["no key", { STRIPE_SECRET_KEY: "" }, [], /^The configuration .*\n {2}STRIPE_SECRET_KEY: .*\n$/],
  ["too many days", {}, ["--days", "31"], /^Usage: npm run stripe:reconcile .*\n$/],
])("%s: a message and exit code 1", async (_, env, args, message) => {
  fake.fail("GET /v1/events", "rate-limit");
  const { code, out, problems } = await command("stripe-reconcile.ts", args, env);
  expect(code).toBe(1);
  expect(out).toEqual([""]);
  expect(problems).toMatch(message);
});

test("stripe:links sets up a database on which nothing has started yet", async () => {
  await database.pool.query(
    "drop schema public cascade; create schema public; drop schema if exists pgboss cascade",
  );
  const { code, out, problems } = await command("stripe-links.ts", [], { DEMO: "0" });
  expect({ code, problems }).toEqual({ code: 0, problems: "" });
  expect(out[0]).toMatch(/^Applied 001_accounts.sql, /);
  expect(out.slice(1).map((line) => line.replace(/\w+$/, ""))).toEqual(
    SOLD.map(({ pack_key }) => `${pack_key}: made https://buy.stripe.com/`),
  );
});
