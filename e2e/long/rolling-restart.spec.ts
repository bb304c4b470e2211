import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, post } from "../concurrency.ts";
import { freePort, runCommand, spawnServer, untilReady } from "../site.ts";
import { startPlainProxy } from "./plain-proxy.ts";

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
            }).then(async (answer) => (await answer.arrayBuffer(), answer.status));
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
  const told = performance.now();
  servers[n]!.kill("SIGTERM");
  await once(servers[n]!, "exit");
  const ms = Math.round(performance.now() - told);
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
