import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isLong } from "#test/long.ts";
import { messagesOf } from "#test/chat.ts";
import { tally } from "#test/waitlist-races.ts";
import { followChat, type Page, writeOn, type Written } from "./chat-crowd.ts";
import { expect, test } from "./fixtures.ts";
import { addRaceGames, enterPlayer, type Player } from "./players.ts";
import { type Processes, startProcesses } from "./processes.ts";

/* The players of one game write at once, each as fast as an account may, to two processes. */
const PLAYERS = isLong ? 200 : 20;
const SECONDS = isLong ? 60 : 3;
const EVERY_MS = 2_050;

test.describe.configure({ mode: "serial", timeout: isLong ? 600_000 : 120_000 });
let processes: Processes;
let players: Player[];
let gameId: string;
let pages: Page[] = [];
const sentAt = new Map<string, number>();
const times: number[] = [];

test.beforeAll(async () => {
  processes = await startProcesses(2);
  const { urls, dataDir, database } = processes;
  const enter = () =>
    enterPlayer({ url: urls[0]!, dataDir }, database, {
      name: `crowd-${randomUUID()}`,
      credits: 0,
    });
  [gameId = ""] = await addRaceGames(database.db, { count: 1, spots: PLAYERS });
  players = [];
  for (let n = 0; n < PLAYERS; n += 10) {
    players.push(...(await Promise.all(Array.from({ length: 10 }, enter))));
  }
  const bookings = players.map(({ userId: user_id }) => ({ user_id, game_id: gameId }));
  const paid = { payment_status: "Paid" as const, price_eur: "0" };
  const rows = bookings.map((booking) => ({ ...booking, ...paid }));
  await database.db.insertInto("bookings").values(rows).execute();
  pages = players.map(({ cookie }, n) =>
    followChat({ nextUrl: () => urlOf(n), gameId, cookie, onMessage: takeTime }),
  );
  await expect.poll(() => pages.every(({ opened }) => opened === 1)).toBe(true);
});

test.afterAll(async () => {
  for (const page of pages) page.close();
  await processes?.stop();
});

function takeTime(id: string) {
  const from = sentAt.get(id);
  if (from !== undefined) times.push(performance.now() - from);
}

/** Half of them at each process. */
async function writeAll(): Promise<Written[]> {
  const until = performance.now() + SECONDS * 1_000;
  const onSend = (id: string) => sentAt.set(id, performance.now());
  const each = players.map((player, n) =>
    writeOn({ nextUrl: () => urlOf(n), gameId, player, until, everyMs: EVERY_MS, onSend }),
  );
  return (await Promise.all(each)).flat();
}

const urlOf = (n: number) => processes.urls[n % 2]!;
const statusesOf = (written: Written[]) => tally(written.map(({ status }) => status));

/** Everything that was accepted is there once, under a number of its own, and everybody has heard it. */
async function expectAllHeard(written: Written[]) {
  const rows = await messagesOf(processes.database.db, gameId);
  const ids = rows.map(({ id }) => id);
  const numbers = rows.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  const accepted = written.filter(({ status }) => status === "200").map(({ id }) => id);
  expect(accepted.length).toBeGreaterThan(PLAYERS);
  expect(accepted.filter((id) => !ids.includes(id))).toEqual([]);
  for (const page of pages) {
    // A stream that was dropped for reading too slowly may have missed more than it is told.
    const isDone = () => page.numbers.at(-1) === numbers.at(-1) || page.rereads > 0;
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
    if (page.rereads === 0) expect(page.numbers).toEqual(numbers);
    else expect(page.numbers).toEqual([...new Set(page.numbers)].toSorted((a, b) => a - b));
  }
  const rereads = pages.filter((page) => page.rereads > 0).length;
  if (!isLong) expect(rereads).toBe(0);
  return { count: ids.length, rereads };
}

function percentiles(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)]!);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

test(`${PLAYERS} players write for ${SECONDS} s: all hear each message once, in one order`, async () => {
  const written = await writeAll();
  const { count, rereads } = await expectAllHeard(written);
  const fromPostToEventMs = percentiles(times);
  expect(Object.keys(statusesOf(written)).filter((status) => !/^(200|429)$/.test(status))).toEqual(
    [],
  );
  const report = { ...statusesOf(written), perSecond: count / SECONDS, rereads, fromPostToEventMs };
  process.stdout.write(`chat crowd: ${JSON.stringify(report)}\n`);
  expect(count).toBe(written.filter(({ status }) => status === "200").length);
});

test("a killed process loses nothing that was accepted, and all hear it after they come back", async () => {
  const writing = writeAll();
  await delay((SECONDS * 1_000) / 2);
  await processes.kill(0);
  await processes.start(0);
  const written = await writing;
  const { rereads } = await expectAllHeard(written);
  const cutOff = written.filter((each) => each.cutOff > 0).length;
  const streamsBack = pages.filter(({ opened }) => opened > 1).length;
  process.stdout.write(
    `chat kill: ${JSON.stringify({ ...statusesOf(written), cutOff, streamsBack, rereads })}\n`,
  );
  expect(streamsBack).toBeGreaterThanOrEqual(PLAYERS / 2);
});
