import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { registry } from "#app/platform/observability/metrics.server.ts";
import { serveMetrics } from "#app/platform/observability/serve-metrics.server.ts";
import { readAlerts } from "./alerting.ts";
import { readPanels } from "./dashboard.ts";
import { metricsIn } from "./scrapes.ts";

const panels = readPanels();
const EXPRESSIONS = [
  ...readAlerts().map(({ alert, expr }) => ({ name: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, expr })),
  ),
];

// Beside the application's own: of Prometheus, the exporters (npm run rehearse asks them) and cron.
const known = new Set([
  ...["up", "probe_success", "probe_ssl_earliest_cert_expiry"],
  ...["node_filesystem_avail_bytes", "node_filesystem_size_bytes"],
  "kickabout_backup_timestamp_seconds",
]);
beforeAll(async () => {
  // Which registers those of Node too.
  const { close } = await serveMetrics({ port: 0, host: "127.0.0.1" }, async () => {});
  await close();
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    known.add(name);
    // The library's own names for the types are numbers or words.
    const isHistogram = String(type) === "histogram";
    if (isHistogram) for (const part of ["bucket", "sum", "count"]) known.add(`${name}_${part}`);
  }
});

test.each(EXPRESSIONS)("$name is about metrics that exist", ({ expr }) => {
  const metrics = metricsIn(expr);
  expect(metrics.length).toBeGreaterThan(0);
  expect(metrics.filter((metric) => !known.has(metric))).toEqual([]);
});

test("every metric of the app is on the dashboard", () => {
  const shown = new Set(EXPRESSIONS.flatMap(({ expr }) => metricsIn(expr)));
  const own = [...known].filter((name) => name.startsWith("kickabout_"));
  const isShown = (name: string) => shown.has(name) || shown.has(`${name}_bucket`);
  const isPart = (name: string) => /_(bucket|sum|count)$/.test(name);
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => !isPart(name) && !isShown(name))).toEqual([]);
});

test("panels have ids of their own and none lies on another", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
});

test("each alert says what it is and what is behind it", () => {
  for (const { alert, annotations } of readAlerts()) {
    expect(alert).toMatch(/^Kickabout[A-Z]/);
    expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
  }
});

test("docs/operations.md says what to do about each alert, and about no other", () => {
  const page = readFileSync(path.join(projectRoot, "docs/operations.md"), "utf8");
  const described = Array.from(page.matchAll(/^\| `(Kickabout\w+)` \|/gm), ([, name]) => name);
  expect(described.sort()).toEqual(
    readAlerts()
      .map(({ alert }) => alert)
      .sort(),
  );
});
