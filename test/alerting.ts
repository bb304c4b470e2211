import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse, stringify } from "yaml";
import { startScheduler } from "#app/platform/scheduler.server.ts";
import { createLog } from "#app/platform/log.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import {
  gauges,
  recordVitals,
  stripeRejections,
} from "#app/platform/observability/metrics.server.ts";
import { logSecurityEvent } from "#app/routes/security/security-log.server.ts";
import { programOfDebian } from "./debian.ts";
import type { History, Sample } from "./scrapes.ts";

export const ALERTS_FILE = path.join(projectRoot, "deploy/prometheus/alerts.yml");

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  annotations: Record<string, string>;
}

export function readAlerts(): Alert[] {
  const file = parse(readFileSync(ALERTS_FILE, "utf8")) as { groups: { rules: Alert[] }[] };
  return file.groups.flatMap(({ rules }) => rules);
}

/** What makes an alert fire, and what ends it. */
export interface Scenario {
  breaks(): unknown;
  mends(): unknown;
  brokenSeconds?: number;
}

/** Each once: the next time is in a day. */
const decide = (run: () => Promise<void>) =>
  startScheduler([{ name: "decisions", everyMs: 86_400_000, run }]);

export const schedulerScenario: Scenario = {
  breaks: () => decide(() => Promise.reject(new Error("this game cannot be decided"))),
  mends: () => decide(() => Promise.resolve()),
};

/** Alerts that need no server. Counters clear by themselves once nothing more is counted. */
export const ownScenarios: Record<string, Scenario> = {
  KickaboutErrorsRepeat: {
    breaks() {
      const { log } = createLog({ write() {} });
      for (let n = 0; n < 20; n += 1) log.error({ err: new Error("again") }, "request failed");
    },
    mends() {},
  },
  KickaboutSlowInBrowsers: {
    breaks() {
      for (let n = 0; n < 10; n += 1) recordVitals("/events", { LCP: 4 });
    },
    mends() {},
    brokenSeconds: 3 * 3_600,
  },
  KickaboutClockWrong: {
    breaks: () => gauges.clockOffset.set(-40),
    mends: () => gauges.clockOffset.set(0.2),
  },
  KickaboutSignInsFail: {
    breaks() {
      for (let n = 0; n < 25; n += 1) logSecurityEvent("sign-in failed", {});
    },
    mends() {},
    brokenSeconds: 3_600,
  },
  KickaboutStripeRejected: {
    breaks: () => stripeRejections.inc({ reason: "signature" }),
    mends() {},
  },
};

export async function blockEventLoop() {
  for (let n = 0; n < 4; n += 1) {
    const until = performance.now() + 600;
    while (performance.now() < until);
    await new Promise(setImmediate);
  }
}

/** What was scraped before a failure, during it, and when it was good again. */
export type Phases = Record<"before" | "broken" | "after", Sample[]>;

/** The timeline begins at 0; so do times in samples. */
export function fromZero(phases: Phases): Phases {
  const start = Math.floor(Date.now() / 1_000);
  const move = (sample: Sample) =>
    /_timestamp_seconds$|_cert_expiry$/.test(sample.name)
      ? { ...sample, value: sample.value - start }
      : sample;
  return {
    before: phases.before.map(move),
    broken: phases.broken.map(move),
    after: phases.after.map(move),
  };
}

const STEP = 60;
const BEFORE = 5 * STEP;
/** Until a rate over five minutes has risen. */
const RISE = 8 * STEP;
/** Longer than any range of an expression. */
const AFTER = 90 * STEP;

/**
 * Throws unless Prometheus comes to what is expected of an alert in the last minute of a phase. Each
 * phase lasts as long as the alert needs.
 */
export function expectFiring(
  alert: Alert,
  phases: Phases,
  expected: Partial<Record<keyof Phases, boolean>>,
  brokenSeconds = 0,
) {
  const { history, ends } = timelineOf(alert, phases, brokenSeconds);
  const expr = `ALERTS{alertname="${alert.alert}",alertstate="firing"}`;
  const results = Object.entries(expected).map(([phase, isTrue]) => ({
    expr,
    at: ends[phase as keyof Phases],
    isTrue,
  }));
  expectResults(history, results);
}

interface Timeline {
  history: History;
  /** The last second of each phase. */
  ends: Record<keyof Phases, number>;
}

/** What counters have grown by while it was broken, they grow by each minute of that phase. */
function timelineOf(alert: Alert, phases: Phases, brokenSeconds: number): Timeline {
  const held = alert.for ? secondsOf(alert.for) : 0;
  const minutes = Math.max(brokenSeconds, held + RISE) / STEP;
  const ends = { before: BEFORE, broken: BEFORE + minutes * STEP, after: 0 };
  ends.after = ends.broken + AFTER;
  const history: History = [];
  const grown = (samples: Sample[], times: number) => grow(samples, phases, times);
  for (let at = 0; at <= ends.after; at += STEP) {
    if (at <= ends.before) history.push({ at, samples: phases.before });
    else if (at > ends.broken) history.push({ at, samples: grown(phases.after, minutes - 1) });
    else history.push({ at, samples: grown(phases.broken, (at - BEFORE) / STEP - 1) });
  }
  return { history, ends };
}

const COUNTER = /_(total|count|sum|bucket)$/;
const sampleKey = ({ name, labels }: Sample) => name + JSON.stringify(labels);

function grow(samples: Sample[], { before, broken }: Phases, times: number): Sample[] {
  const [old, grown] = [before, broken].map(
    (phase) => new Map(phase.map((each) => [sampleKey(each), each.value])),
  );
  return samples.map((sample) => {
    if (!COUNTER.test(sample.name)) return sample;
    const key = sampleKey(sample);
    const delta = (grown!.get(key) ?? 0) - (old!.get(key) ?? 0);
    return { ...sample, value: sample.value + times * delta };
  });
}

interface Result {
  expr: string;
  /** A second of the history. */
  at: number;
  /** Whether the expression has any series then. */
  isTrue: boolean;
}

/** Throws unless Prometheus comes to these results. A history has one scrape a minute, from 0. */
export function expectResults(history: History, results: Result[]) {
  const test = {
    rule_files: [ALERTS_FILE],
    evaluation_interval: `${STEP}s`,
    tests: [
      {
        interval: `${STEP}s`,
        input_series: seriesOf(history),
        promql_expr_test: results.map(({ expr, at, isTrue }) => ({
          expr: `(count(${expr}) > bool 0) or vector(0)`,
          eval_time: `${at}s`,
          exp_samples: [{ labels: "{}", value: isTrue ? 1 : 0 }],
        })),
      },
    ],
  };
  runPromtoolOn("test.yml", stringify(test), "test", "rules");
}

/** Runs promtool on a file with this text. */
export function runPromtoolOn(name: string, text: string, ...command: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-promtool-"));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return runPromtool(...command, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws with what it has found. The first call may have to download it. */
export function runPromtool(...args: string[]): string {
  promtool ??= findPromtool();
  const [program = "", ...own] = promtool;
  return execFileSync(program, [...own, ...args], { encoding: "utf8", stdio: "pipe" });
}

let promtool: string[] | undefined;

/** Command of PROMTOOL, this machine's, otherwise Debian's. */
function findPromtool(): string[] {
  if (process.env.PROMTOOL) return [process.env.PROMTOOL];
  if (spawnSync("promtool", ["--version"]).status === 0) return ["promtool"];
  return programOfDebian("usr/bin/promtool", ["promtool"]);
}

function seriesOf(history: History) {
  const nameOf = ({ name, labels }: Sample) =>
    `${name}{${Object.entries(labels)
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
      .join(",")}}`;
  const scrapes = history.map(
    ({ samples }) => new Map(samples.map((each) => [nameOf(each), each.value])),
  );
  const names = new Set(scrapes.flatMap((scrape) => [...scrape.keys()]));
  return [...names].map((series) => ({
    series,
    values: scrapes.map((scrape) => scrape.get(series) ?? "_").join(" "),
  }));
}

function secondsOf(duration: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(number) * { s: 1, m: 60, h: 3_600 }[unit as "s" | "m" | "h"];
}
