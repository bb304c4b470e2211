import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";

export interface PostgresHome {
  dataDir: string;
  cluster: string;
  location: string | null;
  socketDir: string;
  pipe: string;
  log: string;
}

export interface ReadyHome extends PostgresHome {
  user: PostgresUser;
  native: string;
}

export function findHome(folder: string): PostgresHome {
  fs.mkdirSync(folder, { recursive: true });
  const dataDir = fs.realpathSync(folder);
  const hash = hashOf(dataDir);
  // A cluster created elsewhere stays there, even when the data folder opens up later.
  const elsewhere = folderElsewhere(dataDir);
  const isElsewhere = ownUid() === 0 && fs.existsSync(path.join(elsewhere, "postgres"));
  return {
    dataDir,
    cluster: path.join(isElsewhere ? elsewhere : dataDir, "postgres"),
    location: isElsewhere ? elsewhere : null,
    // A socket's path has room for about 100 characters.
    socketDir: `/tmp/kickabout-${hash}-${ownUid()}`,
    pipe: path.join(dataDir, "postgres.alive"),
    log: path.join(dataDir, "postgres.log"),
  };
}

export function hasCluster(folder: string): boolean {
  return fs.existsSync(folder) && fs.existsSync(findHome(folder).cluster);
}

export function prepareHome(found: PostgresHome, native: string): ReadyHome {
  const user = found.location
    ? "relocated"
    : choosePostgresUser(ownUid() === 0, (candidate) => canReach(candidate, native, found.dataDir));
  const home = user === "relocated" ? moveElsewhere(found, native) : { ...found, user, native };
  if (!fs.existsSync(home.cluster)) createCluster(home);
  takeCluster(home);
  openSocketDir(home);
  return home;
}

/** The home of a copy in `folder`, in the same kind of place as this cluster. */
export function homeLike({ location }: PostgresHome, folder: string): PostgresHome {
  fs.mkdirSync(folder, { recursive: true });
  if (location)
    fs.mkdirSync(path.join(folderElsewhere(fs.realpathSync(folder)), "postgres"), {
      recursive: true,
    });
  return findHome(folder);
}

/** The socket's folder must not belong to another user. */
export function isSocketDirOurs(home: PostgresHome): boolean {
  const folder = fs.lstatSync(home.socketDir, { throwIfNoEntry: false });
  const cluster = fs.statSync(home.cluster, { throwIfNoEntry: false });
  return !!folder?.isDirectory() && folder.uid === cluster?.uid && (folder.mode & 0o77) === 0;
}

export function postmasterPid(home: PostgresHome): number | null {
  const text = readIfThere(path.join(home.cluster, "postmaster.pid"));
  return text === null ? null : Number.parseInt(text, 10) || null;
}

export function isAlive(home: PostgresHome): boolean {
  const pid = postmasterPid(home);
  try {
    return pid !== null && process.kill(pid, 0);
  } catch (error) {
    // A process of another user, and no PostgreSQL of ours, since that runs as the cluster's owner.
    const isOthers = (error as NodeJS.ErrnoException).code === "EPERM";
    return isOthers && fs.statSync(home.cluster).uid !== ownUid();
  }
}

export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function occupied(home: PostgresHome): string {
  const pid = postmasterPid(home) ?? "unknown";
  return (
    `The database in ${home.cluster} is in use by process ${pid}, which does not answer: end it, ` +
    `or remove ${home.cluster}/postmaster.pid if it is no PostgreSQL.`
  );
}

function moveElsewhere(found: PostgresHome, native: string): ReadyHome {
  const location = folderElsewhere(found.dataDir);
  if (!found.location && fs.existsSync(found.cluster)) {
    throw new Error(
      `The database in ${found.cluster} can no longer be reached by an ordinary user; ` +
        `open the way to it, or move it to ${location}/postgres.`,
    );
  }
  const copy = copyNative(native, location);
  const cluster = path.join(location, "postgres");
  return { ...found, cluster, location, user: "relocated", native: copy };
}

function createCluster(home: ReadyHome): void {
  // Renamed when finished: a crash or a second starter never leaves half a cluster.
  const half = `${home.cluster}.new-${randomUUID()}`;
  fs.mkdirSync(half, { mode: 0o700 });
  giveTo(home.user, half);
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const settings = ["-D", half, "-U", "kickabout", "-A", "trust", "-E", "UTF8", ...locale];
  const initdb = path.join(home.native, "bin/initdb");
  const { command, args, options } = commandAs(home.user, initdb, settings);
  const made = spawnSync(command, args, { ...options, encoding: "utf8" });
  if (made.status === 0) return renameOrDrop(half, home.cluster);
  fs.rmSync(half, { recursive: true, force: true });
  const reason = made.error?.message ?? `${made.stdout}${made.stderr}`.trim().slice(-1000);
  throw new Error(
    `PostgreSQL could not create its files in ${home.cluster} ` +
      `(DATABASE_URL can name another PostgreSQL):\n${reason}`,
  );
}

/** Permissions on the way may have changed since, which decides who can run it. */
function takeCluster(home: ReadyHome): void {
  const isOwner = fs.statSync(home.cluster).uid === ownerOf(home.user);
  if (!isOwner && isAlive(home)) throw new Error(occupied(home));
  giveTo(home.user, home.cluster);
}

function openSocketDir(home: ReadyHome): void {
  fs.mkdirSync(home.socketDir, { recursive: true, mode: 0o700 });
  const folder = fs.lstatSync(home.socketDir);
  if (!folder.isDirectory() || !isTrusted(folder.uid)) {
    throw new Error(`${home.socketDir} belongs to somebody else; PostgreSQL needs it. Remove it.`);
  }
  fs.chmodSync(home.socketDir, 0o700);
  giveTo(home.user, home.socketDir);
}

function folderElsewhere(dataDir: string): string {
  return `/var/lib/kickabout-${hashOf(dataDir)}`;
}

function hashOf(dataDir: string): string {
  return createHash("sha256").update(dataDir).digest("hex").slice(0, 8);
}

type PostgresUser = "self" | "nobody" | "namespace" | "relocated";

const NOBODY = 65_534;

// PostgreSQL does not run as root: it runs as `nobody` if that can reach binaries and data, in a
// user namespace in a private home, otherwise as `nobody` with a copy elsewhere.
export function choosePostgresUser(
  isRoot: boolean,
  reaches: (user: "nobody" | "namespace") => boolean,
): PostgresUser {
  if (!isRoot) return "self";
  if (reaches("nobody")) return "nobody";
  return reaches("namespace") ? "namespace" : "relocated";
}

function ownerOf(user: PostgresUser): number {
  return user === "nobody" || user === "relocated" ? NOBODY : ownUid();
}

function isTrusted(uid: number): boolean {
  return uid === ownUid() || (ownUid() === 0 && uid === NOBODY);
}

function ownUid(): number {
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

function canReach(user: PostgresUser, native: string, dataDir: string): boolean {
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

function giveTo(user: PostgresUser, folder: string): void {
  const uid = ownerOf(user);
  if (fs.statSync(folder).uid === uid) return;
  const gid = uid === NOBODY ? NOBODY : (process.getgid?.() ?? -1);
  run("chown", ["-hR", `${uid}:${gid}`, folder]);
}

function copyNative(native: string, folder: string): string {
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

function renameOrDrop(finished: string, place: string): void {
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
