import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#app/platform/postgres/embedded.server.ts";
import { type SilentProxy, startSilentProxy } from "#test/database-proxies.ts";
import { startPgBouncer } from "#test/pgbouncer.ts";
import { urlOf } from "#test/postgres.ts";
import { tally } from "#test/waitlist-races.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import { addRaceGames, type Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { freePort, newDataDir, runCommand } from "../site.ts";
import { oneJobManyTimes } from "../waitlist-races.ts";

/*
 * Two processes behind PgBouncer in transaction mode, whose 6 connections all of them share; only
 * what needs a session goes to PostgreSQL itself.
 */
const PLAYERS = 40;
const GAMES = 5;

test.describe.configure({ mode: "serial", timeout: 300_000 });
let folder: string;
let postgres: EmbeddedPostgres;
let tcp: SilentProxy;
let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
let processes: Processes;
let lists: Lists;
let players: Player[];
let bouncerPort: number;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "kickabout-pgbouncer-"));
  const dataDir = newDataDir();
  postgres = await startEmbeddedPostgres(dataDir);
  tcp = await startSilentProxy(postgres.connection);
  bouncerPort = await freePort();
  bouncer = await startPgBouncer(folder, { port: tcp.connection.port! }, bouncerPort);
  const env = {
    DATABASE_URL: `postgres://kickabout@127.0.0.1:${bouncerPort}/kickabout`,
    DATABASE_DIRECT_URL: urlOf(postgres.connection),
  };
  processes = await startProcesses(2, env, dataDir);
  lists = openLists(processes);
  players = await lists.players(PLAYERS, 600);
});

test.afterAll(async () => {
  await processes?.stop();
  await bouncer?.stop();
  await tcp?.close();
  await postgres?.release();
  rmSync(folder, { recursive: true, force: true });
});

test("every query goes through it but those that need a session", async () => {
  const { rows } = await processes.database.pool.query<{ name: string; count: number }>(`
    select split_part(application_name, '-', 2) as name, count(*) as count from pg_stat_activity
    where application_name ~ '^kickabout-' and client_port >= 0 group by 1`);
  // Through the proxy only PgBouncer comes.
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(6);
  const direct = await processes.database.pool.query(`
    select count(*) from pg_stat_activity
    where application_name ~ '^kickabout-session-' and client_port = -1`);
  // Each process has one that listens to games and chats, and one to urgent jobs.
  expect(direct.rows).toEqual([{ count: 4 }]);
});

test("a session setting would reach other clients, so the pools make none", async () => {
  const through = { host: "127.0.0.1", port: bouncerPort, user: "any", database: "kickabout" };
  const client = new pg.Client(through);
  await client.connect();
  const seen = new Set<string>();
  for (let n = 0; n < 20; n += 1) {
    const { rows } = await client.query("select current_setting('statement_timeout') as limit");
    seen.add(rows[0].limit);
  }
  await client.end();
  expect([...seen]).toEqual(["0"]);
  // It rejects a connection with a setting of its own, as those without DATABASE_DIRECT_URL are.
  const rejected = new pg.Client({ ...through, statement_timeout: 1_000 });
  await expect(rejected.connect()).rejects.toThrow(/unsupported startup parameter/);
});

test("joins by 40 at once for 10 spots each: 10 are in, and each is paid once", async () => {
  const games = await addRaceGames(lists.db, { count: GAMES, spots: 10 });
  const begun = performance.now();
  const joins = await Promise.all(
    games.flatMap((gameId) => players.map((player) => lists.join(player, gameId))),
  );
  const ms = Math.round(performance.now() - begun);
  process.stdout.write(`pgbouncer: ${JSON.stringify({ joins: joins.length, ms })}\n`);
  expect(tally(joins.map(String))).toEqual({ 302: GAMES * 10, 409: GAMES * (PLAYERS - 10) });
  for (const gameId of games) {
    const paid = await lists.playersIn(gameId);
    expect([paid.length, new Set(paid).size]).toEqual([10, 10]);
  }
});

test("a freed spot is given on by a job, and a stream reports it", async () => {
  const [holder, ...waiting] = await lists.players(4);
  const [{ gameId, seats } = never()] = await lists.fullGames(1, [holder!]);
  await lists.wait(gameId, waiting);
  const stream = await openStream(`${processes.urls[0]}/live?games=${gameId}`);
  expect(await lists.cancel(seats[0]!)).toBe(302);
  await lists.untilIn(gameId, [waiting[0]!.userId]);
  await expect.poll(() => stream.text()).toContain("event: game");
  stream.close();
});

test("the same job many times at once through shared connections gives each spot once", async () => {
  const holder = await lists.player(600);
  const { gameId, waiting, failed } = await oneJobManyTimes(lists, holder);
  expect(failed).toBe(0);
  const inGame = [holder, waiting[0]!, waiting[1]!].map(({ userId }) => userId);
  expect(await lists.playersIn(gameId)).toEqual(inGame);
});

test("emails and all other due jobs are done, and the books are right", async () => {
  const open = async () => {
    const { rows } = await processes.database.pool.query(`
      select name, output from pgboss.job
      where state in ('created', 'active', 'retry') and start_after <= now()`);
    return rows;
  };
  await expect.poll(open, { intervals: [500], timeout: 120_000 }).toEqual([]);
  expect(await runCommand(processes.dataDir, "check-ledger.ts")).toContain("The books are right");
});

test("while it is away pages answer 503, and nothing needs a restart", async () => {
  const { cookie } = players[0]!;
  const ask = async () =>
    (await fetch(`${processes.urls[0]}/events`, { headers: { Cookie: cookie } })).status;
  expect(await ask()).toBe(200);
  await bouncer.stop();
  await expect.poll(ask).toBe(503);
  bouncer = await startPgBouncer(folder, { port: tcp.connection.port! }, bouncerPort);
  await expect.poll(ask).toBe(200);
});

async function openStream(url: string) {
  const over = new AbortController();
  const response = await fetch(url, { signal: over.signal });
  let text = "";
  const read = async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
  };
  void read().catch(() => {});
  return { text: () => text, close: () => over.abort() };
}

function never(): never {
  throw new Error("no game");
}
