import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Connection } from "../app/platform/connect.server.ts";
import { projectRoot } from "../app/platform/root.server.ts";

/**
 * A production server that may be killed and comes back on the same address. Its PostgreSQL lives
 * on, because this process holds on to it as well.
 */
export interface MortalSite {
  url: string;
  dataDir: string;
  database: Connection;
  /** Waits while it is down; rejects when it does not come back. */
  up(): Promise<void>;
  /** SIGKILL, in the middle of whatever it does, and a start anew. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const STARTING_MS = 180_000;
const POLL_MS = 50;

export async function startMortalSite(): Promise<MortalSite> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-soak-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let server = run(dataDir, port);
  let standing = untilReady(url, server);
  await standing.catch(async (error) => {
    await end(server, "SIGKILL");
    throw error;
  });
  const database = await connect({ databaseUrl: undefined, dataDir });
  return {
    ...{ url, dataDir, database },
    up: () => standing,
    kill() {
      standing = standing.then(async () => {
        await end(server, "SIGKILL");
        server = run(dataDir, port);
        await untilReady(url, server);
      });
      return standing;
    },
    async stop() {
      await database.close();
      await end(server, "SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function run(dataDir: string, port: number): ChildProcess {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  const demo = { DEMO: "1", DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "error" };
  return spawn(process.execPath, [path.join(projectRoot, "scripts", "start.ts")], {
    cwd: dataDir,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH, HOME, TMPDIR, LANG, APP_URL: `http://127.0.0.1:${port}`, ...demo },
  });
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + STARTING_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`The server was not ready within ${STARTING_MS / 1_000} s`);
}

async function end(server: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, "exit");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (!address || typeof address === "string") throw new Error("no free port");
  return address.port;
}
