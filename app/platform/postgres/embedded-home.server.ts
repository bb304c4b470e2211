import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import * as users from "./embedded-user.server.ts";

export interface PostgresHome {
  dataDir: string;
  cluster: string;
  location: string | null;
  socketDir: string;
  pipe: string;
  log: string;
}

export interface ReadyHome extends PostgresHome {
  user: users.PostgresUser;
  native: string;
}

export function findHome(folder: string): PostgresHome {
  fs.mkdirSync(folder, { recursive: true });
  const dataDir = fs.realpathSync(folder);
  const hash = hashOf(dataDir);
  // A cluster created elsewhere stays there, even when the data folder opens up later.
  const elsewhere = folderElsewhere(dataDir);
  const isElsewhere = users.ownUid() === 0 && fs.existsSync(path.join(elsewhere, "postgres"));
  return {
    dataDir,
    cluster: path.join(isElsewhere ? elsewhere : dataDir, "postgres"),
    location: isElsewhere ? elsewhere : null,
    // A socket's path has room for about 100 characters.
    socketDir: `/tmp/kickabout-${hash}-${users.ownUid()}`,
    pipe: path.join(dataDir, "postgres.alive"),
    log: path.join(dataDir, "postgres.log"),
  };
}

export function prepareHome(found: PostgresHome, native: string): ReadyHome {
  const user = found.location
    ? "relocated"
    : users.choosePostgresUser(users.ownUid() === 0, (candidate) =>
        users.canReach(candidate, native, found.dataDir),
      );
  const home = user === "relocated" ? moveElsewhere(found, native) : { ...found, user, native };
  if (!fs.existsSync(home.cluster)) createCluster(home);
  takeCluster(home);
  openSocketDir(home);
  return home;
}

/** The socket's folder must not be a stranger's. */
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
  } catch {
    return false;
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
  const copy = users.copyNative(native, location);
  const cluster = path.join(location, "postgres");
  return { ...found, cluster, location, user: "relocated", native: copy };
}

function createCluster(home: ReadyHome): void {
  // Renamed when finished: a crash or a second starter never leaves half a cluster.
  const half = `${home.cluster}.new-${randomUUID()}`;
  fs.mkdirSync(half, { mode: 0o700 });
  users.giveTo(home.user, half);
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const settings = ["-D", half, "-U", "kickabout", "-A", "trust", "-E", "UTF8", ...locale];
  const initdb = path.join(home.native, "bin/initdb");
  const { command, args, options } = users.commandAs(home.user, initdb, settings);
  const made = spawnSync(command, args, { ...options, encoding: "utf8" });
  if (made.status === 0) return users.renameOrDrop(half, home.cluster);
  fs.rmSync(half, { recursive: true, force: true });
  const reason = made.error?.message ?? `${made.stdout}${made.stderr}`.trim().slice(-1000);
  throw new Error(
    `PostgreSQL could not create its files in ${home.cluster} ` +
      `(DATABASE_URL can name another PostgreSQL):\n${reason}`,
  );
}

/** A folder on the way may have been opened or closed since, which decides who can run it. */
function takeCluster(home: ReadyHome): void {
  const isOwner = fs.statSync(home.cluster).uid === users.ownerOf(home.user);
  if (!isOwner && isAlive(home)) throw new Error(occupied(home));
  users.giveTo(home.user, home.cluster);
}

function openSocketDir(home: ReadyHome): void {
  fs.mkdirSync(home.socketDir, { recursive: true, mode: 0o700 });
  const folder = fs.lstatSync(home.socketDir);
  if (!folder.isDirectory() || !users.isTrusted(folder.uid)) {
    throw new Error(`${home.socketDir} belongs to somebody else; PostgreSQL needs it. Remove it.`);
  }
  fs.chmodSync(home.socketDir, 0o700);
  users.giveTo(home.user, home.socketDir);
}

function folderElsewhere(dataDir: string): string {
  return `/var/lib/kickabout-${hashOf(dataDir)}`;
}

function hashOf(dataDir: string): string {
  return createHash("sha256").update(dataDir).digest("hex").slice(0, 8);
}
