import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Page as BrowserPage } from "@playwright/test";
import { sql } from "kysely";
import { messagesOf } from "#test/chat.ts";
import { tally } from "#test/waitlist-races.ts";
import { followChat, type Page, writeOn, type Written } from "../chat-crowd.ts";
import { lastOn, openScreen, shownOn } from "../chat-screen.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, type Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";

/*
 * The players of one game write at once, each as fast as an account may, to two processes. One of them
 * has a browser open, which notes when a message is on its screen.
 */
const PLAYERS = 200;
const SECONDS = 60;
const EVERY_MS = 2_050;

test.describe.configure({ mode: "serial", timeout: 600_000 });
let processes: Processes;
let players: Player[];
let gameId: string;
let pages: Page[] = [];
let screen: BrowserPage;
const sentAt = new Map<string, number>();
const times: number[] = [];

test.beforeAll(async ({ browser }) => {
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
  screen = await openScreen(browser, {
    url: urlOf(0),
    path: chatPath(),
    cookie: players[0]!.cookie,
  });
});

test.afterAll(async () => {
  for (const page of pages) page.close();
  await screen?.context().close();
  await processes?.stop();
});

function takeTime(id: string) {
  const from = sentAt.get(id);
  if (from !== undefined) times.push(Date.now() - from);
}

/** Half of them at each process. */
async function writeAll(): Promise<Written[]> {
  const until = performance.now() + SECONDS * 1_000;
  const onSend = (id: string) => sentAt.set(id, Date.now());
  const each = players.map((player, n) =>
    writeOn({ nextUrl: () => urlOf(n), gameId, player, until, everyMs: EVERY_MS, onSend }),
  );
  return (await Promise.all(each)).flat();
}

const chatPath = () => `/events/${gameId}/chat`;
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
    const missed = () => ids.filter((id) => !page.ids.has(id)).length;
    const what = `missed, after ${page.opened} streams and ${page.rereads} rereads`;
    await expect.poll(missed, { timeout: 60_000, message: what }).toBe(0);
    // A page that had missed too much read the rest; what it was sent is in order all the same.
    if (page.rereads === 0) expect(page.numbers).toEqual(numbers);
    else expect(page.numbers).toEqual([...new Set(page.numbers)].toSorted((a, b) => a - b));
  }
  const last = ids.slice(-50);
  await expect.poll(() => lastOn(screen, last.length), { timeout: 60_000 }).toEqual(last);
  await expect(screen.getByRole("button", { name: /new messages/ })).toHaveCount(0);
  const rereads = pages.filter((page) => page.rereads > 0).length;
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
  const shown = Object.entries(await shownOn(screen));
  const waits = shown.flatMap(([id, at]) => (sentAt.has(id) ? at - sentAt.get(id)! : []));
  const fromPostToScreenMs = { of: waits.length, ...percentiles(waits) };
  expect(Object.keys(statusesOf(written)).filter((status) => !/^(200|429)$/.test(status))).toEqual(
    [],
  );
  const report = { ...statusesOf(written), perSecond: count / SECONDS, rereads };
  const waited = { fromPostToEventMs, fromPostToScreenMs };
  process.stdout.write(`chat crowd: ${JSON.stringify({ ...report, ...waited })}\n`);
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

test("a page that has missed more than it is sent reads all of it", async () => {
  await sql`with numbered as (
      update chats set last_number = last_number + 301 where game_id = ${gameId} returning last_number)
    insert into chat_messages (game_id, user_id, number, body)
    select ${gameId}, ${players[0]!.userId}, last_number - 301 + n, 'Line ' || n
    from numbered, generate_series(1, 301) n`.execute(processes.database.db);
  const ids = (await messagesOf(processes.database.db, gameId)).map(({ id }) => id);
  const { cookie } = players[1]!;
  const late = followChat({ nextUrl: () => urlOf(1), gameId, cookie, onMessage: () => {} });
  pages.push(late);
  await expect.poll(() => late.rereads).toBe(1);
  await expect.poll(() => ids.filter((id) => !late.ids.has(id)).length).toBe(0);
});
