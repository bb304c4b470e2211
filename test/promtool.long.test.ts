import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { registry } from "#app/platform/observability/metrics.server.ts";
import {
  ALERTS_FILE,
  expectFiring,
  expectResults,
  fromZero,
  readAlerts,
  runPromtool,
  runPromtoolOn,
} from "./alerting.ts";
import { testApp } from "./app.ts";
import { readPanels } from "./dashboard.ts";
import { useDatabase } from "./db.ts";
import { createExporters } from "./exporters.ts";
import { readScrape, type Sample } from "./scrapes.ts";
import { type AskSite, openSite } from "./whole-site.ts";

// It may have to be downloaded.
vi.setConfig({ testTimeout: 600_000 });

const database = useDatabase();
const exporters = createExporters();
let site: AskSite;
beforeAll(async () => void (site = await openSite(testApp(database))));
afterAll(() => exporters.close());

const alertOf = (name: string) => readAlerts().find(({ alert }) => alert === name)!;

test("Prometheus accepts every alert, and rejects one with a mistake", () => {
  expect(runPromtool("check", "rules", ALERTS_FILE)).toContain(
    `${readAlerts().length} rules found`,
  );
  const wrong = readFileSync(ALERTS_FILE, "utf8").replace("expr: ", "expr: sum by (");
  expect(() => runPromtoolOn("wrong.yml", wrong, "check", "rules")).toThrow(
    "could not parse expression",
  );
});

test("Prometheus accepts every expression of the dashboard", () => {
  const expressions = readPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  const rules = expressions.map((expr, n) => ({ record: `panel:${n}`, expr }));
  const file = JSON.stringify({ groups: [{ name: "dashboard", rules }] });
  expect(runPromtoolOn("dashboard.yml", file, "check", "rules")).toContain("rules found");
});

test("Prometheus accepts the example of a configuration", () => {
  const config = readFileSync(path.join(projectRoot, "deploy/prometheus/prometheus.yml"), "utf8");
  const own = config.replace("alerts.yml", ALERTS_FILE);
  expect(runPromtoolOn("prometheus.yml", own, "check", "config")).toContain("1 rule files found");
});

test.each([
  ["KickaboutDown", "up", "pods that are gone are not asked any more"],
  ["KickaboutBackupOld", "kickabout_backup_timestamp_seconds", "nobody says how old it is"],
])("%s also fires without the metric %s: %s", (name, metric) => {
  const up: Sample = { name: "up", labels: { job: "kickabout" }, value: 1 };
  const samples = [up, ...exporters.scrape()];
  const isGone = (each: Sample) => each.name === metric && each.labels["job"] !== "kickabout-site";
  const broken = samples.filter((each) => !isGone(each));
  expect(broken.length).toBeLessThan(samples.length);
  const phases = fromZero({ before: samples, broken, after: samples });
  expectFiring(alertOf(name), phases, { before: false, broken: true, after: false });
});

test("beacons of one network, or a fifth of slow ones, make no alert active; those of three do", async () => {
  const beacons = async (count: number, network: number, LCP: number) => {
    const body = JSON.stringify({ page: "/events", LCP });
    const address = `198.51.100.${network}`;
    for (let n = 0; n < count; n += 1) await site("/vitals", { body, address });
  };
  const { expr } = alertOf("KickaboutSlowInBrowsers");
  const scrape = async () => readScrape(await registry.metrics());
  const expectAfterAnHour = async (isTrue: boolean, send: () => Promise<unknown>) => {
    const before = await scrape();
    await send();
    const after = await scrape();
    const history = Array.from({ length: 61 }, (_, minute) => ({
      at: minute * 60,
      samples: minute < 2 ? before : after,
    }));
    expectResults(history, [{ expr, at: 3_600, isTrue }]);
  };
  await expectAfterAnHour(false, () => beacons(60, 1, 59_000));
  await expectAfterAnHour(false, async () => {
    await beacons(60, 2, 59_000);
    for (let network = 10; network < 14; network += 1) await beacons(20, network, 900);
  });
  await expectAfterAnHour(true, async () => {
    for (const network of [3, 4, 5]) await beacons(60, network, 59_000);
  });
});
