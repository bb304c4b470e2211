import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { ALERTS_FILE, readAlerts, runPromtool } from "./alerting.ts";

// It may have to be downloaded.
vi.setConfig({ testTimeout: 600_000 });

test("Prometheus' own check takes every alert, and not one that is wrong", () => {
  expect(runPromtool("check", "rules", ALERTS_FILE)).toContain(
    `${readAlerts().length} rules found`,
  );
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-rules-"));
  const wrong = path.join(folder, "wrong.yml");
  writeFileSync(wrong, readFileSync(ALERTS_FILE, "utf8").replace("expr: ", "expr: sum by ("));
  expect(() => runPromtool("check", "rules", wrong)).toThrow("could not parse expression");
  rmSync(folder, { recursive: true });
});

test("Prometheus' own check takes the example of a scrape", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-prometheus-"));
  const config = path.join(projectRoot, "deploy/prometheus/prometheus.yml");
  const file = path.join(folder, "prometheus.yml");
  copyFileSync(config, file);
  copyFileSync(ALERTS_FILE, path.join(folder, "alerts.yml"));
  expect(runPromtool("check", "config", file)).toContain("1 rule files found");
  rmSync(folder, { recursive: true });
});
