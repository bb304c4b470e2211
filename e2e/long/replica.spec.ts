import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { type PostgresPair, startPostgresPair } from "#test/postgres-pair.ts";
import { tally } from "#test/waitlist-races.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, join, type Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { freePort, newDataDir } from "../site.ts";

/*
 * Two processes that read public lists from a streaming replica, which is behind all the time, then
 * further than it may be, then frozen, then dead.
 */
const BEHIND_MS = 300;
const ROUNDS = 10;
const BROKEN_MS = 8_000;
const LIMIT_MS = 5_000;

test.describe.configure({ mode: "serial", timeout: 300_000 });
let pair: PostgresPair;
let processes: Processes;
let reader: Player;
let games: string[];

test.beforeAll(async () => {
  const dataDir = newDataDir();
  const settings = [`recovery_min_apply_delay=${BEHIND_MS}ms`];
  pair = await startPostgresPair(dataDir, {
    port: await freePort(),
    isSynchronous: false,
    settings,
  });
  const env = { DATABASE_URL: pair.url, DATABASE_REPLICA_URL: pair.replicaUrl };
  processes = await startProcesses(2, env, dataDir);
  games = await addRaceGames(processes.database.db, { count: 30, spots: 10 });
  await sql`update games set date = current_date + 1 + (n - 1) % 13, start_time = start, end_time = start + '1:30'
    from (select id as of, n, make_time(8 + 4 * ((n - 1) / 13), 0, 0) as start
      from (select id, row_number() over ()::int as n from unnest(${games}::uuid[]) id) listed) planned
    where id = of`.execute(processes.database.db);
  await expect.poll(() => hasReached(games.at(-1)!)).toBe(true);
  reader = await player("reader");
});

test.afterAll(async () => {
  await processes?.stop();
  await pair?.stop();
});

test("public pages are read from the replica", async () => {
  await expect.poll(usesReplica).toBe(true);
});

test("who has just joined sees it at once, at either process, though the replica is behind", async () => {
  const joiner = await player("joiner");
  for (const [n, gameId] of games.slice(0, ROUNDS).entries()) {
    expect(await spotsOf(gameId)).toBe(10);
    const { cookie } = await joinAndKeepCookies(joiner, gameId, n);
    // Its list is the primary's; so is a game's own page for players, at any time.
    expect(await spotsOnList(gameId, cookie, n + 1)).toBe(9);
  }
});

test("a page that is read again on hearing of a change has it", async () => {
  const joiner = await player("live");
  for (const gameId of games.slice(10, 10 + ROUNDS)) {
    const stream = await openStream(`${processes.urls[0]}/live?games=${gameId}`);
    await expect.poll(() => stream.spots()).toContain(10);
    const joining = join(processes.urls[1]!, joiner, gameId);
    await expect.poll(() => stream.spots(), { intervals: [5] }).toContain(9);
    expect(await spotsOf(gameId)).toBe(9);
    expect(await joining).toBe(302);
    stream.close();
  }
});

test("further behind than two seconds it is left, and used again once it is not", async () => {
  await pair.replica.query("select pg_wal_replay_pause()");
  const gameId = games[20]!;
  expect(await join(processes.urls[0]!, await player("late"), gameId)).toBe(302);
  await expect.poll(() => spotsOf(gameId), { timeout: LIMIT_MS }).toBe(9);
  expect(await usesReplica()).toBe(false);
  await pair.replica.query("select pg_wal_replay_resume()");
  await expect.poll(usesReplica).toBe(true);
});

const BREAKS = {
  frozen: () => pair.replica.signal("SIGSTOP"),
  dead: async () => {
    pair.replica.signal("SIGCONT");
    await expect.poll(usesReplica, { timeout: 60_000 }).toBe(true);
    await pair.replica.kill();
  },
};

for (const [kind, breakIt] of Object.entries(BREAKS)) {
  test(`a replica that is ${kind}: each page is answered, by the primary`, async () => {
    await breakIt();
    const until = performance.now() + BROKEN_MS;
    const answers: { status: number; ms: number }[] = [];
    const drive = async (_: unknown, n: number) => {
      for (let turn = n; performance.now() < until; turn += 1) answers.push(await visit(turn));
    };
    await Promise.all(Array.from({ length: 6 }, drive));
    const statuses = tally(answers.map(({ status }) => String(status)));
    const slowestMs = Math.max(...answers.map(({ ms }) => ms));
    const late = answers.filter(({ ms }) => ms > 1_000).length;
    process.stdout.write(`replica ${kind}: ${JSON.stringify({ statuses, slowestMs, late })}\n`);
    expect(Object.keys(statuses)).toEqual(["200"]);
    expect(slowestMs).toBeLessThan(LIMIT_MS);
  });
}

const player = (name: string) =>
  enterPlayer({ url: processes.urls[0]!, dataDir: processes.dataDir }, processes.database, {
    name: `replica-${name}`,
    credits: 600,
  });

async function visit(turn: number) {
  const begun = performance.now();
  const [path, cookie] = [
    ["/events", reader.cookie],
    ["/venues", ""],
    [`/events/${games[turn % games.length]}`, ""],
  ][turn % 3]!;
  const url = processes.urls[turn % 2]! + path;
  const response = await fetch(url, { headers: { Cookie: cookie! } });
  await response.arrayBuffer();
  return { status: response.status, ms: Math.round(performance.now() - begun) };
}

/** A visitor's page. */
async function spotsOf(gameId: string, n = 0) {
  const page = await (await fetch(`${processes.urls[n % 2]}/events/${gameId}`)).text();
  return Number(/(\d+) spots left/.exec(page)?.[1]);
}

/** The list has a link to each game, and then its spots. */
async function spotsOnList(gameId: string, cookie: string, n: number) {
  const url = `${processes.urls[n % 2]}/events`;
  const page = await (await fetch(url, { headers: { Cookie: cookie } })).text();
  const start = page.indexOf(`/events/${gameId}`);
  return Number(/(\d+) spots left/.exec(page.slice(start))?.[1]);
}

async function joinAndKeepCookies({ cookie }: Player, gameId: string, n: number) {
  const response = await fetch(`${processes.urls[n % 2]}/events/${gameId}`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: new URLSearchParams({ intent: "join", priceShown: "10" }),
  });
  expect(response.status).toBe(302);
  const set = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { cookie: [cookie, ...set].join("; ") };
}

/** Whether the pages ask the replica for games now. */
async function usesReplica(): Promise<boolean> {
  const begun = await pair.replica.query<{ now: string }>("select clock_timestamp()::text as now");
  for (let turn = 0; turn < 6; turn += 1) await visit(turn);
  const asked = await pair.replica.query(`
    select from pg_stat_activity where application_name like 'kickabout-replica-%'
      and query like '%"games"%' and query_start > '${begun[0]!.now}'`);
  return asked.length > 0;
}

const hasReached = async (gameId: string) =>
  (await pair.replica.query(`select from games where id = '${gameId}'`)).length === 1;

async function openStream(url: string) {
  const over = new AbortController();
  const response = await fetch(url, { signal: over.signal });
  let text = "";
  const read = async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
  };
  void read().catch(() => {});
  await delay(0);
  return {
    spots: () => Array.from(text.matchAll(/"spots":(\d+)/g), ([, spots]) => Number(spots)),
    close: () => over.abort(),
  };
}
