import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { findBrowser } from "#test/browser.ts";
import { fetchTool } from "../scripts/fetch-tool.ts";
import type { Server } from "./app-under-test.ts";
import { loadFor, request } from "./load.ts";
import { median, printTable } from "./table.ts";
import type { Scenario } from "./scenario.ts";

const RUNS = 3;

interface Page {
  name: string;
  path: string;
  cookie?: string | undefined;
  /** The least score of each category, and the most seconds, shift, milliseconds and kB. */
  budget: Record<Category, number | null> & { lcp: number; cls: number; tbt: number; kB: number };
}

/** What of Lighthouse's report is read here. */
interface Result {
  runtimeError?: { message: string };
  categories: Record<
    string,
    { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
  >;
  audits: Record<
    string,
    { score: number | null; title: string; numericValue?: number } | undefined
  >;
}

type Category = "performance" | "accessibility" | "best-practices" | "seo";
const CATEGORIES: Category[] = ["performance", "accessibility", "best-practices", "seo"];

/**
 * Lighthouse as on a phone with slow 4G (simulated), each page beside its budget. A score of the
 * machine's moment: other work on the same cores lowers the performance.
 */
export async function benchLighthouse(app: Server, scenario: Scenario): Promise<void> {
  const rows = [];
  const found = new Set<string>();
  for (const page of await listPages(scenario)) {
    // A server that has been running for a while is what is measured.
    await loadFor(app.port, 1, 1, request(page.path, { cookie: page.cookie }));
    const results = [];
    for (let run = 0; run < RUNS; run += 1) results.push(await visit(app, page));
    rows.push(row(page, results));
    for (const result of results) {
      for (const finding of findings(page, result)) found.add(`${page.name}: ${finding}`);
    }
  }
  printTable(`Lighthouse, mobile, slow 4G, median of ${RUNS} (budget)`, rows);
  for (const finding of found) console.log(`  ${finding}`);
}

async function listPages(scenario: Scenario): Promise<Page[]> {
  const game = await scenario.db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date(Date.now() + 48 * 3_600_000))
    .where("seats_taken", ">", 3)
    .orderBy("starts_at")
    .executeTakeFirstOrThrow();
  const perfect = { accessibility: 100, "best-practices": 100, seo: 100, tbt: 100, kB: 170 };
  return [
    { name: "/", path: "/", budget: { performance: 99, ...perfect, lcp: 1.3, cls: 0 } },
    {
      name: "/events, signed in",
      path: "/events",
      cookie: scenario.cookies[0],
      // No search leads to a page behind the sign-in.
      budget: { performance: 99, ...perfect, seo: null, lcp: 1.2, cls: 0.01 },
    },
    {
      name: "/events/{id}",
      path: `/events/${game.id}`,
      budget: { performance: 99, ...perfect, lcp: 1.1, cls: 0.01 },
    },
  ];
}

/** In a browser of its own each time: nothing is cached. */
async function visit(app: Server, { path: place, cookie }: Page): Promise<Result> {
  const { executablePath, args, env } = findBrowser();
  const program = path.join(fetchTool("bench/lighthouse"), "lighthouse", "cli", "index.js");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      program,
      `http://localhost:${app.port}${place}`,
      ...["--output=json", "--quiet", "--no-enable-error-reporting"],
      `--only-categories=${CATEGORIES.join(",")}`,
      `--chrome-flags=${[...args, "--headless"].join(" ")}`,
      ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
    ],
    { env: { ...process.env, ...env, CHROME_PATH: executablePath }, maxBuffer: 1e8 },
  );
  const result = JSON.parse(stdout) as Result;
  if (result.runtimeError) throw new Error(`${place}: ${result.runtimeError.message}`);
  return result;
}

function row({ name, budget }: Page, results: Result[]): Record<string, string> {
  const middle = (pick: (result: Result) => number | null | undefined) =>
    median(results.map((result) => pick(result) ?? Number.NaN));
  const scores = CATEGORIES.map((category) => {
    const score = Math.round(middle(({ categories }) => categories[category]?.score) * 100);
    return [
      category,
      beside(`${score}`, budget[category] === null ? "–" : `≥ ${budget[category]}`),
    ];
  });
  const value = (audit: string) => middle(({ audits }) => audits[audit]?.numericValue);
  return {
    page: name,
    ...Object.fromEntries(scores),
    "LCP s": beside((value("largest-contentful-paint") / 1_000).toFixed(2), `≤ ${budget.lcp}`),
    CLS: beside(value("cumulative-layout-shift").toFixed(4), `≤ ${budget.cls}`),
    "TBT ms": beside(value("total-blocking-time").toFixed(0), `≤ ${budget.tbt}`),
    "first visit kB": beside((value("total-byte-weight") / 1_000).toFixed(0), `≤ ${budget.kB}`),
  };
}

const beside = (value: string, budget: string) => `${value} (${budget})`;

/** What Lighthouse holds against a page, in the categories that have a budget; no timings. */
function findings({ budget }: Page, { categories, audits }: Result): string[] {
  return CATEGORIES.filter((name) => name !== "performance" && budget[name] !== null)
    .flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0)
    .map(({ id }) => `${id}: ${audits[id]?.title}`);
}
