import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { type MailServer, openMailServer } from "#test/mail-server.ts";
import { tally } from "#test/waitlist-races.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import type { Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { runCommand } from "../site.ts";

/*
 * Players cancel one after the other until SIGKILL ends the process that serves pages, the one that
 * works on the jobs, or both, in the middle of it. After a restart each freed spot has gone to the
 * first of its list.
 */
const TO_KILL = { web: [0], worker: [1], both: [0, 1] };
const KILLS = 20;
const GAMES = 10;
const SPOTS = 5;
const WAITING = 20;
const CLIENTS = 6;
const SERVED_MS = 30_000;

test.describe.configure({ mode: "serial", timeout: 1_200_000 });
let mailServer: MailServer;
let processes: Processes;
let lists: Lists;
let players: Map<string, Player>;
let gameIds: string[];
const acknowledged: string[] = [];

test.beforeAll(async () => {
  mailServer = await openMailServer();
  processes = await startProcesses(["web", "worker"], { SMTP_URL: mailServer.url });
  lists = openLists(processes);
  // The same players wait in all of the games, so that these want the same wallets.
  const all = await lists.players(SPOTS + WAITING, 500);
  players = new Map(all.map((player) => [player.userId, player]));
  const games = await lists.fullGames(GAMES, all.slice(0, SPOTS));
  gameIds = games.map(({ gameId }) => gameId);
});

test.afterAll(async () => {
  await processes?.stop();
  await mailServer?.close();
});

test("kills while players cancel: after each the lists are served", async () => {
  for (let round = 0; round < KILLS; round += 1) {
    await refillLists();
    const waited = await listWaiting();
    const [name, killed] = Object.entries(TO_KILL)[round % 3]!;
    const results = await cancelUntilKilled(killed, {
      after: 10 + ((round * 7) % 30),
      ms: round % 16,
    });
    const free = await countFreeSpots();
    const restartedAt = performance.now();
    await Promise.all(killed.map(processes.start));
    const readyMs = Math.round(performance.now() - restartedAt);
    await expect.poll(countFreeSpots, { intervals: [20], timeout: SERVED_MS }).toBe(0);
    const servedMs = Math.round(performance.now() - restartedAt);
    await expectFirstServed(waited);
    const kill = { round, killed: name, ...tally(results), free, readyMs, servedMs };
    process.stdout.write(`kills: ${JSON.stringify(kill)}\n`);
  }
});

test("each cancellation that was acknowledged is refunded, once", async () => {
  const { rows } = await sql<{ refunds: number }>`
    select (select count(*) from wallet_transactions entry
      where booking_id = b.id and type = 'refund' and amount_eur = 9.01) as refunds
    from bookings b where id = any(${acknowledged}) and payment_status = 'Refunded'`.execute(
    lists.db,
  );
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(rows).toEqual(acknowledged.map(() => ({ refunds: 1 })));
});

test("nobody is in a game twice, and the books are right", async () => {
  for (const gameId of gameIds) {
    const userIds = await lists.playersIn(gameId);
    expect([userIds.length, new Set(userIds).size]).toEqual([SPOTS, SPOTS]);
  }
  expect(await runCommand(processes.dataDir, "check-ledger.ts")).toContain("The books are right");
});

test("who was promoted is notified by one job, and by one email or the same one again", async () => {
  const mails = await listMails();
  expect(mails.length).toBeGreaterThan(KILLS);
  expect(mails.filter(({ jobs }) => jobs !== 1)).toEqual([]);
  // The jobs of a dead process are found after a minute.
  const open = async () => (await listMails()).filter(({ isSent }) => !isSent).length;
  await expect.poll(open, { intervals: [500], timeout: 240_000 }).toBe(0);
  const sent = (await listMails()).filter(({ isSent, isIn }) => isSent && isIn);
  const missing = sent.filter(({ id }) => !mailServer.taken.includes(messageIdOf(id)));
  expect(missing).toEqual([]);
  const repeated = mailServer.taken.length - new Set(mailServer.taken).size;
  process.stdout.write(`kills: ${JSON.stringify({ promoted: mails.length, repeated })}\n`);
});

/** Puts players with no spot who do not wait at the end of the list. */
async function refillLists() {
  for (const gameId of gameIds) {
    const { rows } = await sql<{ id: string }>`
      select user_id as id from bookings where game_id = ${gameId} and payment_status = 'Paid'
      union select user_id from waitlist_entries where game_id = ${gameId} and status = 'Waiting'
      `.execute(lists.db);
    const there = new Set(rows.map(({ id }) => id));
    const others = [...players.values()].filter(({ userId }) => !there.has(userId));
    await lists.wait(gameId, others, { since: Date.now() - others.length * 1_000 });
  }
}

async function listWaiting(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from waitlist_entries where game_id = any(${gameIds}) and status = 'Waiting'`.execute(
    lists.db,
  );
  return rows.map(({ id }) => id);
}

/** Checks those who waited: nobody is booked who was behind somebody who waits still. */
async function expectFirstServed(waited: string[]) {
  const { rows } = await sql<{ statuses: string[] }>`
    select array_agg(status order by created_at, id) as statuses
    from waitlist_entries where id = any(${waited}) group by game_id`.execute(lists.db);
  for (const { statuses } of rows) {
    const booked = statuses.filter((status) => status === "Promoted");
    const waiting = statuses.filter((status) => status === "Waiting");
    expect(statuses).toEqual([...booked, ...waiting]);
  }
}

/** What players who cancelled until then were answered; who got no answer, "cut off". */
async function cancelUntilKilled(killed: number[], { after, ms }: { after: number; ms: number }) {
  const { rows } = await sql<{ id: string; userId: string }>`
    select id, user_id as "userId" from bookings
    where game_id = any(${gameIds}) and payment_status = 'Paid' order by id`.execute(lists.db);
  const results: string[] = [];
  let killing: Promise<unknown> | undefined;
  const queue = rows.entries();
  const client = async () => {
    for (const [n, { id: bookingId, userId }] of queue) {
      const cancelling = lists.cancel({ bookingId, player: players.get(userId)! });
      if (n === after) killing = delay(ms).then(() => Promise.all(killed.map(processes.kill)));
      const result = await cancelling.then(String, () => "cut off");
      if (result === "302") acknowledged.push(bookingId);
      results.push(result);
      if (killing) break;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await killing;
  expect(results.filter((result) => !["302", "cut off"].includes(result))).toEqual([]);
  return results;
}

async function countFreeSpots(): Promise<number> {
  const { rows } = await sql<{ free: number }>`
    select sum(max_players - seats_taken - spots_held) as free from games
    where id = any(${gameIds})`.execute(lists.db);
  return Number(rows[0]!.free);
}

/** The emails to those who were promoted. */
async function listMails() {
  const { rows } = await sql<{ id: string; isIn: boolean; jobs: number; isSent: boolean }>`
    select b.id, payment_status = 'Paid' as "isIn", count(job.id) as jobs,
      coalesce(bool_and(state = 'completed'), false) as "isSent"
    from waitlist_entries entry
    join bookings b on b.id = booking_id
    left join pgboss.job on name = 'mail.send' and data->>'kind' = 'waitlist-booked' and data->>'bookingId' = b.id::text
    where entry.game_id = any(${gameIds}) and status = 'Promoted'
    group by b.id`.execute(lists.db);
  return rows;
}

/** Same id as app/platform/mail.server.ts makes. */
function messageIdOf(bookingId: string): string {
  const digest = createHash("sha256").update(`waitlist-booked:${bookingId}`).digest("hex");
  return `<${digest.slice(0, 32)}@127.0.0.1>`;
}
