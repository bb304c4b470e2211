import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { prepareNative } from "#app/platform/postgres/embedded.server.ts";
import { commandAs, findHome, prepareHome } from "#app/platform/postgres/embedded-home.server.ts";
import { type SilentProxy, startSilentProxy } from "./database-proxies.ts";

/** A PostgreSQL and its streaming replica, at two addresses of this machine with the same port. */
export interface PostgresPair {
  /** Names both. */
  url: string;
  replicaUrl: string;
  /** Between the two: what is silenced does not reach the replica. */
  wire: SilentProxy;
  primary: Server;
  replica: Server;
  stop(): Promise<void>;
}

interface Server {
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** SIGKILL for every process at once, as when its machine dies. */
  kill(): Promise<void>;
  /** SIGSTOP or SIGCONT for every process: it stays connected and does not answer. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

interface Options {
  port: number;
  /** Whether a commit waits until the replica has it. */
  isSynchronous: boolean;
  settings?: string[];
}

/** On the cluster of that data folder, which is not running; the replica begins as its copy. */
export async function startPostgresPair(dataDir: string, options: Options): Promise<PostgresPair> {
  const { port, isSynchronous, settings = [] } = options;
  const copy = `${dataDir}-replica`;
  fs.mkdirSync(copy);
  const cluster = (folder: string) => path.join(findHome(folder).location ?? folder, "postgres");
  fs.cpSync(cluster(dataDir), path.join(copy, "postgres"), { recursive: true });
  // PostgreSQL insists on it.
  fs.chmodSync(path.join(copy, "postgres"), 0o700);
  fs.writeFileSync(path.join(copy, "postgres", "standby.signal"), "");
  const first = { host: "127.0.0.1", port };
  const wire = await startSilentProxy(first);
  const upstream = `host=127.0.0.1 port=${wire.connection.port} user=kickabout application_name=replica`;
  const names = isSynchronous ? "replica" : "";
  const primary = start(dataDir, { ...first, settings: [`synchronous_standby_names=${names}`] });
  const following = [`primary_conninfo=${upstream}`, "wal_receiver_timeout=0", ...settings];
  const replica = start(copy, { host: "127.0.0.2", port, settings: following });
  const stop = async () => {
    await Promise.all([primary.kill(), replica.kill(), wire.close()]);
    fs.rmSync(copy, { recursive: true, force: true });
  };
  try {
    await Promise.all([untilUp(primary), untilUp(replica)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://kickabout@127.0.0.1,127.0.0.2:${port}/kickabout`,
    replicaUrl: `postgres://kickabout@127.0.0.2:${port}/kickabout`,
    ...{ wire, primary, replica, stop },
  };
}

interface Place {
  host: string;
  port: number;
  settings: string[];
}

function start(folder: string, { host, port, settings }: Place): Server {
  const home = prepareHome(findHome(folder), prepareNative());
  const all = [`listen_addresses=${host}`, "unix_socket_directories=", ...settings];
  const flags = ["-D", home.cluster, "-p", String(port), ...all.flatMap((one) => ["-c", one])];
  const { command, args, options } = commandAs(
    home.user,
    path.join(home.native, "bin/postgres"),
    flags,
  );
  const log = fs.openSync(path.join(folder, "server.log"), "a");
  const child = spawn(command, args, { ...options, stdio: ["ignore", log, log] });
  fs.closeSync(log);
  const server = { host, port, user: "kickabout", database: "kickabout" };
  return {
    async query<Row extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client({ ...server, connectionTimeoutMillis: 2_000 });
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query<Row>(text)).rows;
      } finally {
        client.connection.stream.destroy();
      }
    },
    kill: () => killAll(child),
    signal: (name) => [child.pid!, ...childrenOf(child)].forEach((pid) => process.kill(pid, name)),
  };
}

async function killAll(postmaster: ChildProcess) {
  if (postmaster.exitCode !== null || postmaster.signalCode !== null) return;
  const children = childrenOf(postmaster);
  postmaster.kill("SIGKILL");
  for (const pid of children) process.kill(pid, "SIGKILL");
  await once(postmaster, "exit");
}

function childrenOf({ pid: parent }: ChildProcess): number[] {
  const pids = fs.readdirSync("/proc").filter((pid) => parentOf(pid) === parent);
  return pids.map(Number);
}

function parentOf(pid: string): number | null {
  try {
    const stat = /^\d+$/.test(pid) ? fs.readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return Number(stat.split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return null; // ended meanwhile
  }
}

async function untilUp(server: Server) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await server.query("select 1").catch(() => null)) return;
    await delay(100);
  }
  throw new Error("PostgreSQL did not start within a minute");
}
