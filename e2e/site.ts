import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "#app/platform/root.server.ts";
import { scratchFolder } from "#test/postgres.ts";
import type { BrowserContext } from "@playwright/test";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";

/** A production server with its own demo data. */
export interface Site {
  url: string;
  dataDir: string;
  /** Ends it as an operator would and deletes its data; rejects where it did not exit with 0. */
  stop(): Promise<void>;
}

const STARTING_MS = 180_000;
const POLL_MS = 50;

export async function startSite(): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = newDataDir();
  const server = spawnServer(dataDir, port);
  const stop = () =>
    endCleanly(server).finally(() => rmSync(dataDir, { recursive: true, force: true }));
  try {
    await untilReady(url, server);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url, dataDir, stop };
}

/** A folder with demo data; each site of the run then starts on a copy of it. */
export async function createTemplate(): Promise<string> {
  const folder = emptyFolder();
  await runCommand(folder, "db-seed.ts");
  return folder;
}

/** A data folder with the run's demo data; without a run the server itself fills it. */
export function newDataDir(): string {
  const folder = emptyFolder();
  const template = process.env.E2E_TEMPLATE;
  // The pipe and the log belong to the PostgreSQL that has ended.
  const filter = (file: string) => !/postgres\.(alive|log)$/.test(file);
  if (template) cpSync(template, folder, { recursive: true, filter });
  return folder;
}

const emptyFolder = () => mkdtempSync(path.join(scratchFolder(), "kickabout-e2e-"));

/** Runs one of the project's commands on the site's database; rejects where it fails. */
export async function runCommand(dataDir: string, script: string, ...args: string[]) {
  const child = spawn(process.execPath, [path.join(projectRoot, "scripts", script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...ownEnv(), DATA_DIR: dataDir },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${output}`);
  return output;
}

/** The production server with demo data in that folder, or where `env` says. */
export function spawnServer(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  stdout: "ignore" | "pipe" = "ignore",
): ChildProcess {
  const demo = { DEMO: "1", DATA_DIR: dataDir, PORT: String(port) };
  return spawn(process.execPath, [path.join(projectRoot, "scripts", "start.ts")], {
    cwd: dataDir,
    stdio: ["ignore", stdout, "inherit"],
    env: { ...ownEnv(), ...demo, APP_URL: `http://127.0.0.1:${port}`, ...env },
  });
}

// The configuration of a deployment on this machine must not apply to the tests' site.
function ownEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  // Compiling the bundle is most of a start, and a run starts it many times.
  const NODE_COMPILE_CACHE = path.join(projectRoot, ".cache", "compiled");
  return { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE, LOG_LEVEL: "error" };
}

export async function untilReady(url: string, server: ChildProcess) {
  const until = Date.now() + STARTING_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`The server was not ready within ${STARTING_MS / 1_000} s`);
}

async function endCleanly(server: ChildProcess) {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  if (server.exitCode !== 0) {
    throw new Error(`The server ended with ${server.exitCode ?? server.signalCode}, not 0`);
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (!address || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** A site that runs, and its database. */
export interface RunningSite {
  url: string;
  dataDir: string;
  db: Db;
}

/** The Cookie header of a new session. Checking a password would be most of a test's work. */
export async function sessionCookie(
  { url, dataDir, db }: RunningSite,
  userId: string,
): Promise<string> {
  const env = readEnv({ DEMO: "1", DATA_DIR: dataDir, APP_URL: url });
  const setCookie = await signInCookie(env, await openSession(db, userId));
  return setCookie.split(";")[0]!;
}

/** Signs a browser in as the account with that local part of the email. */
export async function signInAs(
  context: BrowserContext,
  site: RunningSite,
  who: string,
): Promise<void> {
  const user = site.db.selectFrom("users").select("id").where("email", "=", `${who}@uni.example`);
  const { id } = await user.executeTakeFirstOrThrow();
  const [name = "", ...value] = (await sessionCookie(site, id)).split("=");
  await context.addCookies([{ name, value: value.join("="), url: site.url }]);
}

/**
 * A production server that may be killed and comes back on the same address. Its PostgreSQL lives
 * on, because this process holds on to it as well.
 */
export interface RestartableSite {
  url: string;
  dataDir: string;
  database: Connection;
  /** Waits while it is down; rejects when it does not come back. */
  up(): Promise<void>;
  /** SIGKILL in the middle of its work, then a new start. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestartableSite(): Promise<RestartableSite> {
  const dataDir = newDataDir();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let server = spawnServer(dataDir, port);
  let isUp = untilReady(url, server);
  await isUp.catch(async (error) => {
    await endWith(server, "SIGKILL");
    throw error;
  });
  const database = await connect({ databaseUrl: undefined, dataDir });
  return {
    ...{ url, dataDir, database },
    up: () => isUp,
    kill() {
      isUp = isUp.then(async () => {
        await endWith(server, "SIGKILL");
        server = spawnServer(dataDir, port);
        await untilReady(url, server);
      });
      return isUp;
    },
    async stop() {
      await database.close();
      await endWith(server, "SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function endWith(server: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, "exit");
}
