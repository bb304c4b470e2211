import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { commandAs } from "#app/platform/postgres/embedded-home.server.ts";
import { programOfDebian } from "./debian.ts";

const LIBRARIES = ["libcares2", "libevent-2.1-7t64", "libpam0g", "libssl3t64"];
const OF_THOSE = ["libsystemd0", "libaudit1", "libcap-ng0", "libcap2", "libzstd1", "zlib1g"];

interface Behind {
  port: number;
  /** Name on that server; clients call it kickabout. */
  database?: string;
}

/** PgBouncer with the settings of docs/scale.md, unless `others` come after them, before one database. */
export async function startPgBouncer(
  folder: string,
  { database = "kickabout", ...server }: Behind,
  port: number,
  others = "",
) {
  const settings = path.join(folder, "pgbouncer.ini");
  fs.writeFileSync(
    settings,
    `[databases]
kickabout = host=127.0.0.1 port=${server.port} dbname=${database} user=kickabout
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 6
max_client_conn = 500
${others}
`,
  );
  const [program = "", ...args] = findPgBouncer();
  // It does not run as root.
  const user = process.getuid?.() === 0 ? "namespace" : "self";
  const run = commandAs(user, program, [...args, settings]);
  const child = spawn(run.command, run.args, { ...run.options, stdio: "ignore" });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await delay(50);
  }
  return { child, stop: () => end(child) };
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Command of PGBOUNCER, this machine's if it is new enough, otherwise Debian's. */
function findPgBouncer(): string[] {
  if (process.env.PGBOUNCER) return [process.env.PGBOUNCER];
  const { stdout } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const minor = Number(/^PgBouncer 1\.(\d+)/.exec(stdout ?? "")?.[1]);
  if (minor >= 21) return ["pgbouncer"];
  return programOfDebian("usr/sbin/pgbouncer", ["pgbouncer", ...LIBRARIES, ...OF_THOSE]);
}
