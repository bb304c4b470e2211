import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#app/platform/postgres/embedded.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { singlePurchase } from "#test/payments.ts";
import { type SilentProxy, startSilentProxy } from "#test/database-proxies.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, type Player } from "../players.ts";
import { freePort, spawnServer, untilReady } from "../site.ts";

/*
 * A database that falls silent: frozen, so that it does not respond; or only the connections that are
 * open are dead, as after a failover, and new ones work at once.
 */
const SILENT_MS = 60_000;
const CLIENTS = 6;
const LIMIT_MS = 5_000;
const STOP_MS = 10_000;

test.describe.configure({ mode: "serial" });
test.setTimeout(400_000);

let dataDir: string;
let postgres: EmbeddedPostgres;
let database: Connection;
let proxy: SilentProxy;
let url: string;
let port: number;
let server: ChildProcess;
let players: Player[];
let gameIds: string[];
let webhookSecret: string;

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-outage-"));
  postgres = await startEmbeddedPostgres(dataDir);
  proxy = await startSilentProxy(postgres.connection);
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await start();
  database = await connect({ databaseUrl: undefined, dataDir });
  const site = { url, dataDir, stop: async () => {} };
  const env = readEnv({ DEMO: "1", DATA_DIR: dataDir, APP_URL: url });
  webhookSecret = env.stripeWebhookSecrets[0]!;
  gameIds = await addRaceGames(database.db, { count: 60, spots: 100 });
  const names = Array.from({ length: CLIENTS }, (_, n) => ({ name: `out${n}`, credits: 600 }));
  players = await Promise.all(names.map((name) => enterPlayer(site, database, name)));
});

test.afterAll(async () => {
  server?.kill("SIGKILL");
  await database?.close();
  await proxy?.close();
  await postgres?.release();
  rmSync(dataDir, { recursive: true, force: true });
});

const KINDS = {
  "frozen by SIGSTOP": {
    begin: () => signalPostgres("SIGSTOP"),
    end: () => signalPostgres("SIGCONT"),
  },
  "behind connections that are all dead": {
    begin: () => proxy.silenceAll(),
    end: () => proxy.letThrough(),
  },
};

for (const [kind, { begin, end }] of Object.entries(KINDS)) {
  test(`a database ${kind}: 503 within 5 s, and good again within 5 s of its return`, async () => {
    await untilGood();
    begin();
    const bad = await answersDuring(SILENT_MS);
    const returned = performance.now();
    end();
    await untilGood();
    const backMs = performance.now() - returned;
    process.stdout.write(`${kind}: ${JSON.stringify({ ...tally(bad), backMs })}\n`);
    expect(bad.length).toBeGreaterThan(50);
    expect(bad.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(bad.filter(({ ms }) => ms > LIMIT_MS)).toEqual([]);
    expect(backMs).toBeLessThan(LIMIT_MS);
  });

  test(`a database ${kind}: SIGTERM ends the process within 10 s, with code 0`, async () => {
    begin();
    const traffic = answersDuring(3_000).catch(() => []);
    await delay(1_500);
    const signalledAt = performance.now();
    server.kill("SIGTERM");
    await once(server, "exit");
    const stopMs = performance.now() - signalledAt;
    end();
    await traffic;
    process.stdout.write(`${kind}: stopped after ${Math.round(stopMs)} ms\n`);
    expect(server.exitCode).toBe(0);
    expect(stopMs).toBeLessThan(STOP_MS);
    await start();
    await untilGood();
  });
}

test("connections that were open are dead, new ones work: good again by itself", async () => {
  const begun = performance.now();
  proxy.silence();
  await untilGood();
  const goodAfterMs = performance.now() - begun;
  process.stdout.write(`connections that were open are dead: good after ${goodAfterMs} ms\n`);
  // Everybody who waits gets a 503 within the limit; on a busy machine the pages after that take a while.
  expect(goodAfterMs).toBeLessThan(2 * LIMIT_MS);
});

async function start() {
  const { connection } = proxy;
  const databaseUrl = `postgres://kickabout@127.0.0.1:${connection.port}/kickabout`;
  server = spawnServer(dataDir, port, { DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" });
  await untilReady(url, server);
}

interface Answered {
  what: string;
  status: number;
  ms: number;
  isRight: boolean;
}

/** What is answered to requests of every kind that begin within that time; none lasts for ever. */
async function answersDuring(ms: number): Promise<Answered[]> {
  const until = performance.now() + ms;
  const answers: Answered[] = [];
  const drive = async (player: Player, n: number) => {
    for (let turn = n; performance.now() < until; turn += 1) answers.push(await ask(player, turn));
  };
  await Promise.all(players.map(drive));
  return answers;
}

async function ask(player: Player, turn: number): Promise<Answered> {
  const kinds = [
    { path: "/events" },
    { path: "/events.data" },
    { path: `/events/${gameIds[0]}`, isVisitor: true },
    { path: `/events/${gameIds[turn % gameIds.length]}`, form: { intent: "join" } },
    { path: "/auth", form: { intent: "sign-in", ...SOMEBODY }, isVisitor: true },
    { path: "/readyz", isVisitor: true },
    { path: "/bookings" },
    { path: "/webhooks/stripe", event: singlePurchase(player.userId).completed, isVisitor: true },
    { path: "/healthz", isVisitor: true },
  ];
  const { path: where, form, event, isVisitor } = kinds[turn % kinds.length]!;
  const payload = event ? JSON.stringify(event) : "";
  const secret = webhookSecret;
  const sign = () => Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const begun = performance.now();
  const response = await fetch(url + where, {
    method: form || event ? "POST" : "GET",
    redirect: "manual",
    headers: {
      ...(isVisitor ? {} : { Cookie: player.cookie }),
      ...(event ? { "Stripe-Signature": sign() } : {}),
    },
    body: form ? new URLSearchParams(form) : payload || null,
    signal: AbortSignal.timeout(60_000),
  });
  await response.arrayBuffer();
  const { status } = response;
  const isHealth = where === "/healthz";
  const mustRetry = status === 503 && (where === "/readyz" || response.headers.has("Retry-After"));
  const ms = Math.round(performance.now() - begun);
  return { what: where.slice(0, 9), status, ms, isRight: isHealth ? status === 200 : mustRetry };
}

const SOMEBODY = { email: "player@uni.example", password: "Kickabout1" };

async function untilGood() {
  const isGood = async (player: Player, turn: number) => (await ask(player, turn)).status === 200;
  const drive = async (player: Player, n: number) => {
    for (const turn of [0, 1, 2, 5, 6]) {
      while (!(await isGood(player, turn + n * 9))) await delay(50);
    }
  };
  await Promise.all(players.map(drive));
}

function tally(answers: Answered[]) {
  const statuses: Record<string, number> = {};
  for (const { what, status } of answers) {
    const key = `${what} ${status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  }
  return { slowestMs: Math.max(...answers.map(({ ms }) => ms)), ...statuses };
}

/** Every process of this data folder's PostgreSQL. */
function signalPostgres(signal: "SIGSTOP" | "SIGCONT") {
  const cluster = path.join(postgres.location ?? dataDir, "postgres");
  const postmaster = Number.parseInt(
    readFileSync(path.join(cluster, "postmaster.pid"), "utf8"),
    10,
  );
  const children = readdirSync("/proc").filter((pid) => parentOf(pid) === postmaster);
  for (const pid of [postmaster, ...children.map(Number)]) process.kill(pid, signal);
}

function parentOf(pid: string): number | null {
  const file = `/proc/${pid}/stat`;
  if (!/^\d+$/.test(pid) || !existsSync(file)) return null;
  return Number(readFileSync(file, "utf8").split(") ").at(-1)?.split(" ")[1]);
}
