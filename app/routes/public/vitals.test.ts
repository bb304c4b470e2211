import { beforeAll, expect, test } from "vitest";
import { registry } from "#app/platform/observability/metrics.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { readScrape } from "#test/scrapes.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";

const database = useDatabase();
let ask: AskSite;
beforeAll(async () => {
  ask = await openSite(testApp(database));
});

const GAME = "/events/5b6d0c0e-0000-4000-8000-000000000001";
const send = (body: unknown, address = "192.0.2.1") =>
  ask("/vitals", { body: typeof body === "string" ? body : JSON.stringify(body), address });

/** How many browsers have reported a page, as it is scraped. */
async function countOf(metric: string, page: string): Promise<number> {
  const samples = readScrape(await registry.metrics());
  const name = `kickabout_web_vitals_${metric}_count`;
  return samples.find((each) => each.name === name && each.labels["page"] === page)?.value ?? 0;
}

test("what a browser measured is in the metrics, by the kind of page and never by its address", async () => {
  const before = await countOf("lcp_seconds", "/events/:gameId");
  const response = await send({ page: GAME, LCP: 1_800, INP: 90.5, CLS: 0.01 });
  expect(response.status).toBe(204);
  expect(response.headers.get("Set-Cookie")).toBeNull();
  expect((await countOf("lcp_seconds", "/events/:gameId")) - before).toBe(1);
  expect(await countOf("inp_seconds", "/events/:gameId")).toBeGreaterThan(0);
  expect(await countOf("cls", "/events/:gameId")).toBeGreaterThan(0);
  expect(await registry.metrics()).not.toContain("5b6d0c0e");
});

test("an address that nobody knows makes no label of its own", async () => {
  await send({ page: "/aino@uni.example", LCP: 100 });
  expect(await countOf("lcp_seconds", "(other)")).toBeGreaterThan(0);
  expect(await registry.metrics()).not.toContain("aino");
});

test.each([
  ["no JSON", "{"],
  ["no page", { LCP: 1 }],
  ["a negative time", { page: "/events", LCP: -1 }],
  ["a time of an hour", { page: "/events", LCP: 3_600_000 }],
  ["a text for a number", { page: "/events", CLS: "0" }],
])("%s is rejected", async (_, body) => {
  expect((await send(body)).status).toBe(400);
});

test("20 beacons an hour of one network count, and further ones get the same answer", async () => {
  const before = await countOf("cls", "/wallet");
  const sent = Array.from({ length: 70 }, () => send({ page: "/wallet", CLS: 0 }, "198.51.100.7"));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([204]));
  expect((await countOf("cls", "/wallet")) - before).toBe(20);
});
