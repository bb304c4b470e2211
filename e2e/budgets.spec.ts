import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext } from "@playwright/test";
import { projectRoot } from "../app/platform/root.server.ts";
import { expect, test } from "./journey.ts";
import { findGames } from "./games.ts";
import { type Load, measureLoad } from "./measure-load.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;
const KIB = 1024;

interface Budget {
  name: string;
  as?: "player";
  scriptKib: number;
  imageKb: number;
}

const BUDGETS: Budget[] = [
  { name: "the landing page", scriptKib: 105, imageKb: 120 },
  { name: "the games", as: "player", scriptKib: 112, imageKb: 90 },
  { name: "a game", as: "player", scriptKib: 120, imageKb: 70 },
  { name: "a game for a visitor", scriptKib: 120, imageKb: 70 },
];

for (const budget of BUDGETS) {
  test(`${budget.name} keeps its budget`, async ({
    browser,
    baseURL,
    database,
    signIn,
    context,
  }) => {
    if (budget.as) await signIn(budget.as);
    const { open } = await findGames(database.db);
    const address = { "the landing page": "/", "the games": "/events" }[budget.name];
    const storageState = await context.storageState();
    const load = await measure(browser, storageState, `${baseURL}${address ?? `/events/${open}`}`);
    const said = describeLoad(load);
    test.info().annotations.push({ type: budget.name, description: said });
    expect.soft(load.origins, said).toEqual([baseURL]);
    expect.soft(load.script / KIB, said).toBeLessThanOrEqual(budget.scriptKib);
    expect.soft(load.html / 1000, said).toBeLessThanOrEqual(14);
    expect.soft(load.styleFiles, said).toBe(1);
    expect.soft(load.style / KIB, said).toBeLessThanOrEqual(12);
    expect.soft(load.fontFiles, said).toBe(1);
    expect.soft(load.font / KIB, said).toBeLessThanOrEqual(30);
    expect.soft(load.image / 1000, said).toBeLessThanOrEqual(budget.imageKb);
    expect.soft(load.layoutShift, said).toBeLessThanOrEqual(0.01);
  });
}

// What marks each of them, in its own files and wherever it is bundled.
const SERVER_ONLY = [
  { mark: "_zod", file: "zod/v4/core/core.js" },
  { mark: "SelectQueryNode", file: "kysely/dist/operation-node/select-query-node.js" },
  { mark: "SCRAM-SHA-256", file: "pg/lib/crypto/sasl.js" },
  { mark: "pino", file: "pino/pino.js" },
  { mark: "better-auth", file: "better-auth/package.json" },
  { mark: "pg-boss", file: "pg-boss/package.json" },
];

test("no server module is in a file for browsers", () => {
  const folder = path.join(projectRoot, "build", "client", "assets");
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(5);
  for (const { mark, file } of SERVER_ONLY) {
    expect(readFileSync(path.join(projectRoot, "node_modules", file), "utf8")).toContain(mark);
    const found = files.filter((name) =>
      readFileSync(path.join(folder, name), "utf8").includes(mark),
    );
    expect(found, mark).toEqual([]);
  }
});

test("nothing scrolls sideways on the narrowest phone", async ({ page, signIn, database }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { open, full, joined } = await findGames(database.db);
  const games = [open, full, joined].map((id) => `/events/${id}`);
  const visitors = ["/", "/auth", "/auth?tab=sign-up", "/demo/outbox", "/nowhere", ...games];
  const widthOf = async (address: string) => {
    await page.goto(address);
    return page.evaluate(() => document.documentElement.scrollWidth);
  };
  for (const address of visitors) expect.soft(await widthOf(address), address).toBe(320);
  await signIn("player");
  for (const address of ["/events", "/bookings", "/profile/player-card", ...games]) {
    expect.soft(await widthOf(address), address).toBe(320);
  }
});

/** On a phone of twice the pixels, with nothing cached. */
async function measure(browser: Browser, storageState: StorageState, url: string) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, storageState });
  return measureLoad(await context.newPage(), url).finally(() => context.close());
}

function describeLoad(load: Load): string {
  const kib = (bytes: number) => `${(bytes / KIB).toFixed(1)} KiB`;
  return (
    `scripts ${kib(load.script)} in ${load.scriptFiles} files, html ${kib(load.html)}, ` +
    `css ${kib(load.style)}, font ${kib(load.font)}, images ${kib(load.image)}, ` +
    `layout shift ${load.layoutShift.toFixed(4)}`
  );
}
