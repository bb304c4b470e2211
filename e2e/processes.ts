import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openJobs } from "#app/jobs.server.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import type { Guard } from "#test/without-guards.ts";
import { endWith, freePort, newDataDir, spawnServer, untilReady } from "./site.ts";

type Role = "web" | "worker" | "all";

/**
 * Production servers on one database. Their PostgreSQL outlives them, because this process holds on
 * to it as well.
 */
export interface Processes {
  /** Addresses of those that serve pages. */
  urls: string[];
  dataDir: string;
  database: Connection;
  jobs: Jobs;
  /** SIGKILL, in the middle of its work. */
  kill(n: number): Promise<void>;
  /** Again, on the same address. */
  start(n: number): Promise<void>;
  stop(): Promise<void>;
}

/** So many that serve pages and work on the jobs, or one for each role. */
export async function startProcesses(
  wish: number | Role[],
  env: Record<string, string> = {},
  dataDir = newDataDir(),
): Promise<Processes> {
  const roles = typeof wish === "number" ? Array.from({ length: wish }, (): Role => "all") : wish;
  const ports: number[] = [];
  for (const _ of roles) ports.push(await freePort());
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const urls = addresses.filter((_, n) => roles[n] !== "worker");
  const servers: ChildProcess[] = [];
  const start = (n: number) => {
    servers[n] = spawnServer(dataDir, ports[n]!, { ROLE: roles[n]!, ...env });
    return untilReady(addresses[n]!, servers[n]);
  };
  const endAll = (signal: "SIGTERM" | "SIGKILL") =>
    Promise.all(servers.map((server) => endWith(server, signal)));
  await Promise.all(ports.map((_, n) => start(n))).catch(async (error) => {
    await endAll("SIGKILL");
    throw error;
  });
  const databaseUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  const database = await connect({ databaseUrl, dataDir });
  const { sessionSecret } = readEnv({ DEMO: "1", DATA_DIR: dataDir });
  const jobs = await openJobs(database.pool, sessionSecret);
  return {
    ...{ urls, dataDir, database, jobs, start },
    kill: (n) => endWith(servers[n]!, "SIGKILL"),
    async stop() {
      await endAll("SIGTERM");
      await jobs.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The environment of a server without one of its guards. */
export function without(guard: Guard): Record<string, string> {
  const preload = pathToFileURL(path.join(projectRoot, "test", "without-guards.ts"));
  // Its failed jobs are what is looked for.
  return { NODE_OPTIONS: `--import=${preload}`, WITHOUT_GUARD: guard, LOG_LEVEL: "silent" };
}
