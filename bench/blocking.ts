import { type Browser, chromium } from "@playwright/test";
import { findBrowser } from "#test/browser.ts";
import type { Server } from "./app-under-test.ts";
import { GAME, idOf, PLAYER, type Scenario, sqlIdOf, stageGames } from "./scenario.ts";
import { median, printTable } from "./table.ts";

const RUNS = 5;
const FIRST_GAME = 600_000;
const GAMES = 80;
const PLAYERS = 20;
const OWN_GAMES = 12;
const MESSAGES = 200;
const SLOWED_BY = 4;

/**
 * What a browser's main thread is blocked for while a page wakes, on a processor slowed by four:
 * the longest task, and what tasks take beyond 50 ms in all. Median of the runs.
 */
export async function benchBlocking(app: Server, scenario: Scenario): Promise<void> {
  const pages = await stagePages(scenario);
  const browser = await chromium.launch(findBrowser());
  const runs = pages.map(() => [] as Tasks[]);
  try {
    // In turns, so that whatever else the machine does hits all; the first only warms up.
    for (let run = 0; run <= RUNS; run += 1) {
      for (const [index, { path }] of pages.entries()) {
        const tasks = await visit(browser, `http://127.0.0.1:${app.port}${path}`, scenario);
        if (run > 0) runs[index]!.push(tasks);
      }
    }
  } finally {
    await browser.close();
  }
  printTable(
    `Main thread while a page wakes, CPU ÷ ${SLOWED_BY}, median of ${RUNS} (budget)`,
    pages.map(({ name }, index) => ({
      page: name,
      "longest task ms": `${middle(runs[index]!, "longest")} (≤ 50)`,
      "blocking ms": `${middle(runs[index]!, "blocking")} (≤ 150)`,
      "tasks above 50 ms": middle(runs[index]!, "count"),
    })),
  );
}

interface Tasks {
  longest: number;
  /** What long tasks take beyond 50 ms each. */
  blocking: number;
  count: number;
}

const middle = (runs: Tasks[], key: keyof Tasks) => `${median(runs.map((run) => run[key]))}`;

async function stagePages({ pool }: Scenario) {
  await stageGames(pool, { from: FIRST_GAME, count: GAMES, seats: PLAYERS + 10 });
  const game = idOf(GAME, FIRST_GAME);
  await pool.query(`
    insert into bookings (user_id, game_id, payment_status)
    select ${sqlIdOf(PLAYER, "n")}, '${game}', 'Paid' from generate_series(0, ${PLAYERS - 1}) n
    union all
    select '${idOf(PLAYER, 0)}', ${sqlIdOf(GAME, `${FIRST_GAME} + n`)}, 'Paid'
    from generate_series(1, ${OWN_GAMES - 1}) n`);
  await pool.query(`
    with numbered as (
      update chats set last_number = last_number + ${MESSAGES} where game_id = '${game}'
      returning last_number)
    insert into chat_messages (game_id, user_id, number, body)
    select '${game}', ${sqlIdOf(PLAYER, `n % ${PLAYERS}`)}, last_number - ${MESSAGES} + n, 'Line ' || n
    from numbered, generate_series(1, ${MESSAGES}) n`);
  return [
    { name: `/events, ${GAMES} games`, path: "/events" },
    { name: `/events/{id}, ${PLAYERS} players`, path: `/events/${game}` },
    { name: `/bookings, ${OWN_GAMES} games`, path: "/bookings" },
    { name: `chat, ${MESSAGES} messages`, path: `/events/${game}/chat` },
  ];
}

/** On a phone, with nothing cached. */
async function visit(browser: Browser, url: string, { cookies }: Scenario): Promise<Tasks> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, serviceWorkers: "block" });
  try {
    await context.setExtraHTTPHeaders({ Cookie: cookies[0]! });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWED_BY });
    await page.addInitScript(observeTasks);
    const response = await page.goto(url);
    if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`);
    await page.waitForFunction(() => "__reactRouterDataRouter" in window);
    // A live page keeps a stream open, so the network never rests.
    await page.waitForTimeout(3_000);
    const long = await page.evaluate(() => window.longTasks);
    const blocking = long.reduce((sum, ms) => sum + ms - 50, 0);
    return { longest: Math.max(0, ...long), blocking, count: long.length };
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    longTasks: number[];
  }
}

function observeTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
  }).observe({ type: "longtask", buffered: true });
}
