import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "#app/platform/root.server.ts";
import { scratchFolder } from "#test/scratch-folder.ts";

/** A production server with its own demo world. */
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
  const dataDir = mkdtempSync(path.join(scratchFolder(), "kickabout-e2e-"));
  const server = spawnServer(dataDir, port);
  const stop = () => end(server).finally(() => rmSync(dataDir, { recursive: true, force: true }));
  try {
    await untilReady(url, server);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url, dataDir, stop };
}

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

/** The production server on a demo world in that folder, or where `env` says. */
export function spawnServer(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
): ChildProcess {
  const demo = { DEMO: "1", DATA_DIR: dataDir, PORT: String(port) };
  return spawn(process.execPath, [path.join(projectRoot, "scripts", "start.ts")], {
    cwd: dataDir,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...ownEnv(), ...demo, APP_URL: `http://127.0.0.1:${port}`, ...env },
  });
}

// What configures a deployment on this machine must not configure the tests' site.
function ownEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG, LOG_LEVEL: "error" };
}

export async function untilReady(url: string, server: ChildProcess) {
  const until = Date.now() + STARTING_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`The server was not ready within ${STARTING_MS / 1_000} s`);
}

async function end(server: ChildProcess) {
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
