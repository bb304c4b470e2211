import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { type PostgresPair, startPostgresPair } from "#test/postgres-pair.ts";
import { tally } from "#test/waitlist-races.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, join, type Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { freePort, newDataDir } from "../site.ts";

/*
 * The primary dies under joins at two processes, and its replica is promoted, as Patroni or a managed
 * database would do it. The processes know both addresses and find out themselves.
 */
const CLIENTS = 12;
const GAMES = 200;
const BEFORE_MS = 4_000;
/** What notices the death takes this long. */
const NOTICED_MS = 5_000;
const AFTER_MS = 4_000;
const BACK_MS = 15_000;

test.describe.configure({ mode: "serial", timeout: 300_000 });
let pair: PostgresPair | undefined;
let processes: Processes | undefined;

test.afterEach(async () => {
  await processes?.stop();
  await pair?.stop();
});

test("a replica that each commit waits for: no acknowledged join is lost, back within 15 s", async () => {
  const { lost, acknowledged, statuses, backMs } = await failover({ isSynchronous: true });
  expect(acknowledged).toBeGreaterThan(100);
  expect(lost).toBe(0);
  expect(Object.keys(statuses).filter((status) => !/^(302|409|503)$/.test(status))).toEqual([]);
  expect(backMs).toBeLessThan(BACK_MS);
});

test("a replica that nothing waits for, and that was behind: joins are lost", async () => {
  const { lost } = await failover({ isSynchronous: false });
  expect(lost).toBeGreaterThan(0);
});

async function failover({ isSynchronous }: { isSynchronous: boolean }) {
  const dataDir = newDataDir();
  const port = await freePort();
  pair = await startPostgresPair(dataDir, { port, isSynchronous });
  processes = await startProcesses(2, { DATABASE_URL: pair.url }, dataDir);
  const { database, urls } = processes;
  const games = await addRaceGames(database.db, { count: GAMES, spots: CLIENTS });
  const site = { url: urls[0]!, dataDir };
  const names = Array.from({ length: CLIENTS }, (_, n) => ({ name: `over${n}`, credits: 9_000 }));
  const players = await Promise.all(names.map((name) => enterPlayer(site, database, name)));
  const traffic = startTraffic(urls, players, games);
  await delay(BEFORE_MS);
  if (!isSynchronous) {
    pair.wire.silence();
    await delay(1_000);
  }
  const killedAt = performance.now();
  await pair.primary.kill();
  await delay(NOTICED_MS);
  await pair.replica.query("select pg_promote()");
  const promotedAt = performance.now();
  await expect.poll(() => traffic.lastAt() > promotedAt, { timeout: 60_000 }).toBe(true);
  const backMs = Math.round(traffic.firstAfter(promotedAt) - killedAt);
  await delay(AFTER_MS);
  const joined = await traffic.stop();
  expect((await checkBooks(database.db)).differences).toEqual([]);
  const lost = await countLost(joined.map(({ key }) => key));
  const statuses = tally(traffic.statuses);
  const ofApp = Math.round(traffic.firstAfter(promotedAt) - promotedAt);
  const measured = { acknowledged: joined.length, lost, statuses, backMs, ofApp };
  process.stdout.write(`failover: ${JSON.stringify({ isSynchronous, ...measured })}\n`);
  return measured;
}

/** Each player joins one game after the other, until it is over. */
function startTraffic(urls: string[], players: Player[], games: string[]) {
  const joined: { key: string; at: number }[] = [];
  const statuses: string[] = [];
  let isOver = false;
  const drive = async (player: Player, n: number) => {
    for (const [turn, gameId] of games.entries()) {
      let status = 0;
      while (status !== 302 && !isOver) {
        status = await join(urls[(turn + n) % urls.length]!, player, gameId);
        statuses.push(String(status));
        // Committed, though the answer could not say so.
        if (status === 409) break;
        if (status !== 302) await delay(100);
      }
      if (status === 302) joined.push({ key: `${gameId} ${player.userId}`, at: performance.now() });
      if (isOver) return;
    }
  };
  const all = Promise.all(players.map(drive));
  return {
    statuses,
    lastAt: () => joined.at(-1)?.at ?? 0,
    firstAfter: (time: number) => joined.find(({ at }) => at > time)!.at,
    stop: async () => ((isOver = true), await all, joined),
  };
}

/** Counts joins without a booking that was paid exactly once. */
async function countLost(keys: string[]): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    select game_id || ' ' || bookings.user_id as key from bookings
    join wallet_transactions on booking_id = bookings.id and type = 'deduction'
    where payment_status = 'Paid' group by bookings.id having count(*) = 1`.execute(
    processes!.database.db,
  );
  const kept = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !kept.has(key)).length;
}
