import { spawnSync } from "node:child_process";
import { chownSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandAs } from "#app/platform/postgres/embedded-home.server.ts";

/** The folder of a PostgreSQL with all its programs, such as Debian's; null where there is none. */
export const serverTools =
  globSync("{/usr/lib/postgresql/*/bin,/opt/homebrew/opt/postgresql@*/bin}/pg_basebackup")
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((file) => path.dirname(file))
    .at(-1) ?? null;

const USER = process.getuid?.() === 0 ? "nobody" : "self";
const NOBODY = 65_534;

/** A server of the test's own by the machine's PostgreSQL, for what the embedded one has no program. */
export function createPostgres(folder: string, settings: string[] = [], owner = "kickabout") {
  if (!serverTools)
    throw new Error("Long tests need PostgreSQL's own server: postgresql of Debian");
  const data = path.join(folder, "data");
  ownFolder(folder);
  tool("initdb", "-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--no-sync");
  const lines = [`unix_socket_directories = '${folder}'`, "listen_addresses = ''", ...settings];
  writeFileSync(path.join(data, "postgresql.conf"), `${lines.join("\n")}\n`, { flag: "a" });
  const url = (database: string, user = owner) =>
    `postgres://${user}@localhost/${database}?host=${folder}`;
  return {
    data,
    url,
    start: () => tool("pg_ctl", "-D", data, "-l", path.join(folder, "log"), "-w", "start"),
    stop: () => tool("pg_ctl", "-D", data, "-m", "fast", "-w", "stop"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function ownFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (USER === "nobody") chownSync(folder, NOBODY, NOBODY);
}

/** What this user has copied there. */
export function ownTree(folder: string) {
  if (USER === "nobody") spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
}

export function tool(name: string, ...args: string[]) {
  const program = path.join(serverTools ?? "", name);
  const { command, args: all, options } = commandAs(USER, program, args);
  // A server that goes on would keep a pipe open.
  const stdio = ["ignore", "ignore", "ignore"] as const;
  const { status } = spawnSync(command, all, { ...options, stdio: [...stdio] });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}: ${status}`);
}
