import { spawnSync } from "node:child_process";
import { chownSync, globSync, mkdirSync, rmSync } from "node:fs";
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

/**
 * A server of the test's own by the machine's PostgreSQL, for what the embedded one has no program.
 * `begin` is what its programs are begun with, in place of becoming its user.
 */
export function createPostgres(
  folder: string,
  settings: string[] = [],
  owner = "kickabout",
  begin: string[] = [],
) {
  if (!serverTools)
    throw new Error("Long tests need PostgreSQL's own server: postgresql of Debian");
  const data = path.join(folder, "data");
  const run = (name: string, ...args: string[]) => runTool(begin, name, args);
  ownFolder(folder);
  run("initdb", "-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--no-sync");
  const lines = [`unix_socket_directories = '${folder}'`, "listen_addresses = ''", ...settings];
  const conf = path.join(data, "postgresql.conf");
  // Written by what sees the folder, wherever that is.
  const [program, ...args] = [...begin, "tee", "--append", conf];
  const written = spawnSync(program!, args, { input: `${lines.join("\n")}\n` });
  if (written.status !== 0) throw new Error(`${conf}: ${written.stderr}`);
  const url = (database: string, user = owner) =>
    `postgres://${user}@localhost/${database}?host=${folder}`;
  return {
    data,
    url,
    start: () => run("pg_ctl", "-D", data, "-l", path.join(folder, "log"), "-w", "start"),
    stop: () => run("pg_ctl", "-D", data, "-m", "fast", "-w", "stop"),
    kill: () => run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"),
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
  runTool([], name, args);
}

function runTool(begin: string[], name: string, args: string[]) {
  const [first = "", ...rest] = [...begin, path.join(serverTools ?? "", name), ...args];
  const { command, args: all, options } = commandAs(begin.length ? "self" : USER, first, rest);
  // A server that goes on would keep a pipe open.
  const stdio = ["ignore", "ignore", "ignore"] as const;
  const { status } = spawnSync(command, all, { ...options, stdio: [...stdio] });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}: ${status}`);
}
