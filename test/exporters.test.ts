import { afterAll, expect, test } from "vitest";
import { firesIn, fromZero, readAlerts } from "./alerting.ts";
import { createExporters } from "./exporters.ts";
import type { Sample } from "./promql.ts";

const exporters = createExporters();
afterAll(() => exporters.close());

test.each([
  ["KickaboutDown", "up", "pods that are gone are not asked any more"],
  ["KickaboutBackupOld", "kickabout_backup_timestamp_seconds", "nobody says how old it is"],
])("%s fires too without the metric %s: %s", (name, metric) => {
  const up: Sample = { name: "up", labels: { job: "kickabout" }, value: 1 };
  const samples = [up, ...exporters.scrape()];
  const alert = readAlerts().find((each) => each.alert === name)!;
  const isGone = (each: Sample) => each.name === metric && each.labels["job"] !== "kickabout-site";
  const broken = samples.filter((each) => !isGone(each));
  expect(broken.length).toBeLessThan(samples.length);
  const phases = fromZero({ before: samples, broken, after: samples });
  expect(firesIn(alert, phases)).toEqual({ before: false, broken: true, after: false });
});
