import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";

export type PostgresUser = "self" | "nobody" | "namespace" | "relocated";

const NOBODY = 65_534;

// PostgreSQL refuses root: `nobody` where it reaches binaries and data, a user namespace in a private
// home, else `nobody` with a copy elsewhere.
export function choosePostgresUser(
  isRoot: boolean,
  reaches: (user: "nobody" | "namespace") => boolean,
): PostgresUser {
  if (!isRoot) return "self";
  if (reaches("nobody")) return "nobody";
  return reaches("namespace") ? "namespace" : "relocated";
}

export function ownerOf(user: PostgresUser): number {
  return user === "nobody" || user === "relocated" ? NOBODY : ownUid();
}

export function isTrusted(uid: number): boolean {
  return uid === ownUid() || (ownUid() === 0 && uid === NOBODY);
}

export function ownUid(): number {
  return process.getuid?.() ?? -1;
}

/** Only PATH is passed on, no PG* variable. */
export function commandAs(user: PostgresUser, command: string, args: string[]) {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" };
  // The current folder may be closed to that user.
  const options = { cwd: "/", env: env as NodeJS.ProcessEnv };
  if (user === "self") return { command, args, options };
  if (user === "namespace") {
    // initdb needs a uid with a name; 1 has one on every system (daemon or bin).
    const prefix = ["-U", "--map-user=1", "--map-group=1", command];
    return { command: "unshare", args: [...prefix, ...args], options };
  }
  return { command, args, options: { ...options, uid: NOBODY, gid: NOBODY } };
}

export function canReach(user: PostgresUser, native: string, dataDir: string): boolean {
  const folder = fs.mkdtempSync(path.join(dataDir, "probe-"));
  try {
    giveTo(user, folder);
    const script = '"$1" --version && cd "$2" && test -w .';
    const postgres = path.join(native, "bin/postgres");
    const run = commandAs(user, "sh", ["-c", script, "probe", postgres, folder]);
    return spawnSync(run.command, run.args, { ...run.options, stdio: "ignore" }).status === 0;
  } catch {
    return false; // a root that may not give files away
  } finally {
    fs.rmdirSync(folder);
  }
}

export function giveTo(user: PostgresUser, folder: string): void {
  const uid = ownerOf(user);
  if (fs.statSync(folder).uid === uid) return;
  const gid = uid === NOBODY ? NOBODY : (process.getgid?.() ?? -1);
  run("chown", ["-hR", `${uid}:${gid}`, folder]);
}

export function copyNative(native: string, folder: string): string {
  const version = /"version": *"([^"]+)"/.exec(
    fs.readFileSync(path.join(native, "../package.json"), "utf8"),
  )?.[1];
  const copy = path.join(folder, `native-${version}`);
  if (fs.existsSync(copy)) return copy;
  fs.mkdirSync(folder, { recursive: true });
  fs.chmodSync(folder, 0o755);
  const half = fs.mkdtempSync(`${copy}.half-`);
  run("cp", ["-RP", `${native}/.`, half]);
  run("chmod", ["-R", "a+rX", half]);
  renameOrDrop(half, copy);
  return copy;
}

/** Of two that arrive at once the second drops its own. */
export function renameOrDrop(finished: string, place: string): void {
  try {
    fs.renameSync(finished, place);
  } catch (error) {
    fs.rmSync(finished, { recursive: true, force: true });
    if (!fs.existsSync(place)) throw error;
  }
}

function run(command: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim()}`);
}
