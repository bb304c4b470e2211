import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { scratchFolder } from "#test/scratch-folder.ts";
import { freePort, spawnServer, untilReady } from "./site.ts";

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

export async function startMortalSite(): Promise<MortalSite> {
  const dataDir = mkdtempSync(path.join(scratchFolder(), "kickabout-soak-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let server = spawnServer(dataDir, port);
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
        server = spawnServer(dataDir, port);
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

async function end(server: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, "exit");
}
