import Stripe from "stripe";
import { beforeAll, expect, test } from "vitest";
import { registry } from "#app/platform/observability/metrics.server.ts";
import { addAccount } from "./accounts.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { readScrape } from "./scrapes.ts";
import { type AskSite, openSite } from "./whole-site.ts";

/* What anybody may send makes no alert fire by itself. */
const database = useDatabase();
const app = () => testApp(database);
let site: AskSite;
beforeAll(async () => void (site = await openSite(app())));

/** How much the samples of a metric that match grow meanwhile. */
async function growthOf(
  metric: string,
  matches: (labels: Record<string, string>) => boolean,
  send: () => Promise<unknown>,
): Promise<number> {
  const sum = async () =>
    readScrape(await registry.metrics())
      .filter(({ name, labels }) => name === metric && matches(labels))
      .reduce((total, { value }) => total + value, 0);
  const before = await sum();
  await send();
  return (await sum()) - before;
}

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
  const send = (signature: string) => async () => {
    const headers = { "Stripe-Signature": signature };
    for (let n = 0; n < 10; n += 1) {
      const response = await site("/webhooks/stripe", { body: "{}", headers });
      expect(response.status).toBe(400);
    }
  };
  // The alert counts all but these (deploy/prometheus/alerts.yml).
  const isAlarming = ({ reason }: Record<string, string>) => reason !== "unsigned";
  const alarms = (signature: string) =>
    growthOf("kickabout_stripe_rejections_total", isAlarming, send(signature));
  for (const [kind, signature] of Object.entries(signatures)) {
    expect(await alarms(signature), kind).toBe(0);
  }
  expect(await alarms(sign(seconds))).toBe(10);
});

test("a sign-in that fails is counted", async () => {
  const { email } = await addAccount(app());
  const form = { intent: "sign-in", email, password: "Wrong-Otter-1" };
  const isFailed = ({ event }: Record<string, string>) => event === "sign-in failed";
  const send = () => site("/auth", { body: new URLSearchParams(form) });
  expect(await growthOf("kickabout_security_events_total", isFailed, send)).toBe(1);
});
