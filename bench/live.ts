import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { sql } from "kysely";
import { findBrowser } from "#test/browser.ts";
import { discardWaitingJobs } from "#app/platform/jobs.server.ts";
import { type Server, startApp } from "./app-under-test.ts";
import { request } from "./load.ts";
import { joinAll } from "./joins.ts";
import { GAME, idOf, openScenario, stageGames, type Scenario } from "./scenario.ts";
import { median, printTable } from "./table.ts";

const STREAMS = 5_000;
const AT_ONCE = 250;
const CHANGES = 30;
const ROUNDS = 3;
const SECONDS = 2;
const FIRST_GAME = 900_000;

/**
 * Open streams on a process of its own: their memory, how soon they and a page in a browser show a
 * change, and what joins cost meanwhile.
 */
export async function benchLive(dataDir: string): Promise<void> {
  const app = await startApp(dataDir);
  const scenario = await openScenario(dataDir);
  try {
    await sql`alter table games drop constraint if exists games_max_players_check`.execute(
      scenario.db,
    );
    await timeChanges(app, scenario);
    await compareJoins(app, scenario);
  } finally {
    await scenario.close();
    await app.stop();
  }
}

async function timeChanges(app: Server, scenario: Scenario): Promise<void> {
  const watched = idOf(GAME, FIRST_GAME);
  await stageGames(scenario.pool, { from: FIRST_GAME, count: 1, seats: 100_000 });
  const page = await openPage(app.port, watched);
  try {
    // Before the heap grows by anything else: later there is room in it that hides what they take.
    const memoryKb = await memoryOfStreams(app, scenario, watched);
    const streams = await openStreams(app.port, scenario, watched);
    const { heard, shown } = await timesOfChanges(scenario, { streams, page }, watched);
    for (const { socket } of streams) socket.destroy();
    printTable(`${STREAMS} streams on one process, all of them watching the game that changes`, [
      row("memory a stream, KB", memoryKb, "≤ 40"),
      row("commit to event, p50 ms", percentile(heard, 0.5), "–"),
      row("commit to event, p95 ms", percentile(heard, 0.95), "≤ 1,000"),
      row("commit to a browser's screen, p50 ms", percentile(shown, 0.5), "–"),
      row("commit to a browser's screen, p95 ms", percentile(shown, 0.95), "≤ 1,000"),
    ]);
  } finally {
    await page.close();
  }
}

async function memoryOfStreams(app: Server, scenario: Scenario, gameId: string): Promise<number> {
  const before = app.rssMb();
  const streams = await openStreams(app.port, scenario, gameId);
  await delay(2_000);
  const memoryKb = ((app.rssMb() - before) * 1_024) / STREAMS;
  for (const { socket } of streams) socket.destroy();
  await delay(1_000);
  return memoryKb;
}

const percentile = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

const row = (name: string, measured: number, toReach: string) => ({
  streams: name,
  measured,
  "to reach": toReach,
});

/** In turns, so that whatever else the machine does hits all three. */
async function compareJoins(app: Server, scenario: Scenario): Promise<void> {
  const turns: { none: number; elsewhere: number; here: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = FIRST_GAME + 10 + round * 4;
    const none = await joinsPerSecond(app, scenario, first);
    const elsewhere = await whileWatching({ app, scenario }, idOf(GAME, FIRST_GAME), () =>
      joinsPerSecond(app, scenario, first + 1),
    );
    const here = await whileWatching({ app, scenario }, idOf(GAME, first + 2), () =>
      joinsPerSecond(app, scenario, first + 2),
    );
    turns.push({ none, elsewhere, here });
  }
  const middle = (pick: (turn: (typeof turns)[number]) => number) => median(turns.map(pick));
  const of = (name: string, pick: (turn: (typeof turns)[number]) => number, toReach: string) => ({
    "one hot game": name,
    "joins/s": middle(pick),
    ratio: middle((turn) => pick(turn) / turn.none),
    "to reach": toReach,
  });
  printTable(`Joins beside ${STREAMS} streams`, [
    of("no streams", ({ none }) => none, "–"),
    of("all watching another game", ({ elsewhere }) => elsewhere, "≥ 0.9"),
    of("all watching this game", ({ here }) => here, "≥ 0.5"),
  ]);
}

async function joinsPerSecond(app: Server, scenario: Scenario, game: number): Promise<number> {
  await stageGames(scenario.pool, { from: game, count: 1, seats: 100_000 });
  await discardWaitingJobs(scenario.db);
  const round = await joinAll(app, scenario, { games: 1, first: game }, { seconds: SECONDS });
  return round.perSecond;
}

async function whileWatching(
  { app, scenario }: { app: Server; scenario: Scenario },
  gameId: string,
  run: () => Promise<number>,
) {
  const streams = await openStreams(app.port, scenario, gameId);
  const measured = await run();
  for (const { socket } of streams) socket.destroy();
  await delay(1_000);
  return measured;
}

interface Stream {
  socket: Socket;
  /** Called with all that comes. */
  hear(text: string): void;
}

/** Each of another player's, since visitors have half of a process's streams. */
async function openStreams(port: number, { cookies }: Scenario, gameId: string): Promise<Stream[]> {
  const streams: Stream[] = [];
  while (streams.length < STREAMS) {
    const part = Array.from({ length: AT_ONCE }, (_, n) =>
      openStream(port, gameId, cookies[streams.length + n]!),
    );
    streams.push(...(await Promise.all(part)));
  }
  return streams;
}

async function openStream(port: number, gameId: string, cookie: string): Promise<Stream> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  await once(socket, "connect");
  const stream: Stream = { socket, hear() {} };
  socket.on("data", (text: string) => stream.hear(text));
  socket.write(request(`/live?games=${gameId}`, { cookie }));
  const [head] = (await once(socket, "data")) as [string];
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
  return stream;
}

interface Watching {
  streams: Stream[];
  page: Shown;
}

/** From the update's own start, each as its stream heard of it, sorted; one change at a time. */
async function timesOfChanges({ pool }: Scenario, { streams, page }: Watching, gameId: string) {
  const [heard, shown]: number[][] = [[], []];
  for (let change = 1; change <= CHANGES; change += 1) {
    const capacity = 100_000 + change;
    const startedAt = performance.now();
    const all = streams.map(
      (stream) =>
        new Promise<number>((resolve) => {
          const isIt = `"spots":${capacity}`;
          stream.hear = (text) => text.includes(isIt) && resolve(performance.now() - startedAt);
        }),
    );
    const screen = page.until(`${capacity} spots left`);
    await pool.query("update games set max_players = $2 where id = $1", [gameId, capacity]);
    heard!.push(...(await Promise.all(all)));
    shown!.push((await screen) - startedAt);
  }
  return { heard: sorted(heard!), shown: sorted(shown!) };
}

const sorted = (times: number[]) => times.toSorted((a, b) => a - b);

interface Shown {
  /** When the browser has drawn this. */
  until(text: string): Promise<number>;
  close(): Promise<void>;
}

/** The game's page in a browser, as a visitor has it open. */
async function openPage(port: number, gameId: string): Promise<Shown> {
  const browser = await chromium.launch(findBrowser());
  const page = await browser.newPage({ serviceWorkers: "block" });
  let look = (_text: string) => {};
  await page.exposeFunction("isDrawn", (text: string) => look(text));
  const stream = page.waitForResponse((response) => response.url().includes("/live?"));
  await page.goto(`http://127.0.0.1:${port}/events/${gameId}`);
  await stream;
  await page.evaluate(() => {
    const report = () => {
      const { isDrawn } = window as unknown as { isDrawn: (text: string) => void };
      isDrawn(document.querySelector("article header")?.textContent ?? "");
    };
    const changes = { subtree: true, childList: true, characterData: true };
    new MutationObserver(() => requestAnimationFrame(report)).observe(document.body, changes);
  });
  return {
    until: (text) =>
      new Promise((resolve) => {
        look = (shown) => shown.includes(text) && resolve(performance.now());
      }),
    close: () => browser.close(),
  };
}
