import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, post } from "../players.ts";
import { freePort, runCommand, spawnServer, untilReady } from "../site.ts";
import * as http from "node:http";
import type { AddressInfo } from "node:net";

/* Two processes behind a proxy that sends nothing twice are restarted in turn. */
const CLIENTS = 12;
const DRAIN_SECONDS = "3";

test.setTimeout(300_000);
let dataDir: string;
let ports: number[];
let servers: ChildProcess[];
let database: Connection;

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-rolling-"));
  ports = [await freePort(), await freePort()];
  servers = ports.map(start);
  await Promise.all(servers.map((server, n) => untilReady(urlOf(ports[n]!), server)));
  database = await connect({ databaseUrl: undefined, dataDir });
});

test.afterAll(async () => {
  for (const server of servers ?? []) server.kill("SIGKILL");
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a rolling restart of both, twice: not one request fails", async () => {
  const proxy = await startPlainProxy(ports);
  // Cookies are signed with the secret of the data folder, whatever the address.
  const site = { url: urlOf(ports[0]!), dataDir, stop: async () => {} };
  const names = Array.from({ length: CLIENTS }, (_, n) => ({ name: `roll${n}`, credits: 600 }));
  const players = await Promise.all(names.map((name) => enterPlayer(site, database, name)));
  const games = await addRaceGames(database.db, { count: 60, spots: 40 });
  const statuses: Record<string, number> = {};
  let isOver = false;
  const drive = async ({ cookie }: { cookie: string }, n: number) => {
    for (let turn = n; !isOver; turn += 1) {
      const asked =
        turn % 3 === 0
          ? post(proxy.url, `/events/${games[turn % 60]}`, cookie, { intent: "join" })
          : fetch(`${proxy.url}/events${turn % 3 === 1 ? "" : ".data"}`, {
              headers: { Cookie: cookie },
            }).then(async (response) => (await response.arrayBuffer(), response.status));
      const status = await asked.catch((error: Error) => `failed: ${error.message}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const traffic = Promise.all(players.map(drive));
  const stops: number[] = [];
  for (const n of [0, 1, 0, 1]) stops.push(await restart(n, proxy.isHealthy));
  isOver = true;
  await traffic;
  proxy.close();
  process.stdout.write(`rolling restart: ${JSON.stringify({ statuses, stops })}\n`);
  expect(proxy.failures).toEqual([]);
  expect(Object.keys(statuses).filter((status) => !/^(200|202|302|409)$/.test(status))).toEqual([]);
  expect(await runCommand(dataDir, "check-ledger.ts")).toContain("The books are right");
});

/** Ends one and starts it again on its port. Answers the milliseconds that it took to end. */
async function restart(n: number, isHealthy: (port: number) => boolean): Promise<number> {
  const port = ports[n]!;
  const signalledAt = performance.now();
  servers[n]!.kill("SIGTERM");
  await once(servers[n]!, "exit");
  const ms = Math.round(performance.now() - signalledAt);
  expect(servers[n]!.exitCode).toBe(0);
  servers[n] = start(port);
  await untilReady(urlOf(port), servers[n]!);
  while (!isHealthy(port)) await delay(50);
  return ms;
}

function start(port: number): ChildProcess {
  return spawnServer(dataDir, port, { DRAIN_SECONDS });
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

const CHECK_MS = 1_000;

/**
 * A round-robin proxy as plain as they come: it asks each process for /readyz once a second, keeps
 * connections open, and sends nothing twice. What it cannot hand on is 502.
 */
async function startPlainProxy(ports: number[]) {
  const backends = ports.map((port) => ({ port, isHealthy: true }));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const failures: string[] = [];
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const healthy = backends.filter(({ isHealthy }) => isHealthy);
    const backend = healthy[(turn += 1) % healthy.length];
    const fail = (why: string) => {
      failures.push(`${request.method} ${request.url}: ${why}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (!backend) return fail("no backend is healthy");
    const { method, url, headers } = request;
    const onward = http.request(
      { host: "127.0.0.1", port: backend.port, agent, method, path: url, headers },
      (reply) => {
        const { connection: _, "keep-alive": __, ...kept } = reply.headers;
        response.writeHead(reply.statusCode ?? 502, kept);
        reply.on("error", (error) => fail(error.message)).pipe(response);
      },
    );
    onward.on("error", (error) => fail(`${backend.port} ${error.message}`));
    request.pipe(onward);
  });
  const check = async (backend: { port: number; isHealthy: boolean }) => {
    const asked = http.get({
      ...{ host: "127.0.0.1", port: backend.port, path: "/readyz" },
      ...{ agent: false, timeout: CHECK_MS },
    });
    const [reply] = await once(asked, "response").catch(() => []);
    reply?.resume();
    backend.isHealthy = reply?.statusCode === 200;
  };
  const checks = setInterval(() => backends.forEach((backend) => void check(backend)), CHECK_MS);
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    failures,
    isHealthy: (port: number) => backends.some((one) => one.port === port && one.isHealthy),
    close() {
      clearInterval(checks);
      agent.destroy();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
