import Stripe from "stripe";
import { beforeAll, expect, test } from "vitest";
import { registry } from "#app/platform/observability/metrics.server.ts";
import { readAlerts } from "./alerting.ts";
import { addAccount } from "./accounts.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { isActive, readScrape } from "./promql.ts";
import { type AskSite, openSite } from "./whole-site.ts";

/* What anybody may send makes no alert fire by itself. */
const database = useDatabase();
const app = () => testApp(database);
let site: AskSite;
beforeAll(async () => void (site = await openSite(app())));

const scrape = async () => readScrape(await registry.metrics());
/** Whether it is active after an hour in which that was sent. */
async function makesActive(alert: string, send: () => Promise<unknown>): Promise<boolean> {
  const before = await scrape();
  await send();
  const history = [
    { at: 0, samples: before },
    { at: 3_600, samples: await scrape() },
  ];
  return isActive(readAlerts().find((each) => each.alert === alert)!.expr, history);
}
const times = async (count: number, run: (n: number) => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await run(n);
};

test("requests to Stripe's address alarm only where they look like Stripe's of now", async () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const sign = (timestamp: number) =>
    Stripe.webhooks.generateTestHeaderString({ payload: "{}", secret: "whsec_other", timestamp });
  const signatures = {
    none: "",
    "no header of Stripe's": "t=now,v1=0",
    "no whole signature": `t=${seconds},v1=${"0".repeat(63)}`,
    "without v1": `t=${seconds},v0=${"0".repeat(64)}`,
    "an hour old": sign(seconds - 3_600),
    "of an hour later": sign(seconds + 3_600),
  };
  const send = (signature: string) => () =>
    times(10, async () => {
      const headers = { "Stripe-Signature": signature };
      const response = await site("/webhooks/stripe", { body: "{}", headers });
      expect(response.status).toBe(400);
    });
  for (const [kind, signature] of Object.entries(signatures)) {
    expect(await makesActive("KickaboutStripeRejected", send(signature)), kind).toBe(false);
  }
  expect(await makesActive("KickaboutStripeRejected", send(sign(seconds)))).toBe(true);
});

test("the beacons of one network do not, nor do a fifth of slow ones", async () => {
  const beacons = (count: number, network: number, LCP: number) =>
    times(count, () =>
      site("/vitals", {
        body: JSON.stringify({ page: "/events", LCP }),
        address: `198.51.100.${network}`,
      }),
    );
  const slow = (...networks: number[]) =>
    times(networks.length, (n) => beacons(60, networks[n]!, 59_000));
  expect(await makesActive("KickaboutSlowInBrowsers", () => slow(1))).toBe(false);
  const mixed = async () => {
    await slow(2);
    await times(4, (n) => beacons(20, 10 + n, 900));
  };
  expect(await makesActive("KickaboutSlowInBrowsers", mixed)).toBe(false);
  expect(await makesActive("KickaboutSlowInBrowsers", () => slow(3, 4, 5))).toBe(true);
});

test("a sign-in that fails is counted", async () => {
  const { email } = await addAccount(app());
  const failed = async () =>
    (await scrape()).find(
      ({ name, labels }) =>
        name === "kickabout_security_events_total" && labels["event"] === "sign-in failed",
    )?.value ?? 0;
  const before = await failed();
  const form = { intent: "sign-in", email, password: "Wrong-Otter-1" };
  await site("/auth", { body: new URLSearchParams(form) });
  expect((await failed()) - before).toBe(1);
});
