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

/**
 * Production servers on one database, each of which works on the jobs too. Their PostgreSQL outlives
 * them, because this process holds on to it as well.
 */
export interface Processes {
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

export async function startProcesses(
  count: number,
  env: Record<string, string> = {},
  dataDir = newDataDir(),
): Promise<Processes> {
  const ports: number[] = [];
  for (let n = 0; n < count; n += 1) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const servers: ChildProcess[] = [];
  const start = (n: number) => {
    servers[n] = spawnServer(dataDir, ports[n]!, env);
    return untilReady(urls[n]!, servers[n]);
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
