import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import {
  readIfThere,
  type PostgresHome,
  type ReadyHome,
  commandAs,
} from "./embedded-home.server.ts";

// Each user holds the pipe `postgres.alive` open for writing. The kernel closes it however the
// process ends, and the guard stops PostgreSQL when the last writer is gone. A newcomer writes its
// name until the guard replies with a file, so it never takes a dying server for a living one. The
// loop is there because sh's background commands ignore SIGINT until postgres sets its own handler.
const GUARD = `
answers=$1; shift
exec 3<&0 </dev/null
rm -f "$answers"/user.*
"$@" 3<&- &
postgres=$!
(
  while read -r name <&3; do echo "$postgres $$" > "$answers/user.$name"; done
  while kill -INT $postgres 2>/dev/null; do sleep 1; done
) &
reader=$!
exec 3<&-
wait $postgres
kill $reader 2>/dev/null
`;

const MAX_LOG_BYTES = 10 * 1024 * 1024;

export function spawnGuard(home: ReadyHome): ChildProcess {
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${home.socketDir}`,
    "unix_socket_permissions=0700",
    "shared_buffers=128MB",
    // The tests run in several processes, and races of theirs take 40 connections each.
    "max_connections=200",
  ].flatMap((setting) => ["-c", setting]);
  const postgres = [path.join(home.native, "bin/postgres"), "-D", home.cluster, "-p", "5432"];
  const script = ["-c", GUARD, "postgres-guard", home.socketDir];
  const { command, args, options } = commandAs(home.user, "sh", [
    ...script,
    ...postgres,
    ...settings,
  ]);
  const pipe = fs.openSync(home.pipe, fs.constants.O_RDONLY);
  const log = fs.openSync(home.log, "a", 0o600);
  const guard = spawn(command, args, { ...options, detached: true, stdio: [pipe, log, log] });
  fs.closeSync(pipe);
  fs.closeSync(log);
  guard.on("error", (error) => fs.appendFileSync(home.log, `${error.message}\n`));
  guard.unref();
  return guard;
}

export function trimLog(home: PostgresHome): number {
  const size = fs.statSync(home.log, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_LOG_BYTES) return size;
  fs.truncateSync(home.log);
  return 0;
}

export type Presence = ReturnType<typeof enter>;

export function enter(home: PostgresHome) {
  const pipe = openPipe(home);
  const name = randomBytes(8).toString("hex");
  const answer = path.join(home.socketDir, `user.${name}`);
  return {
    askGuard() {
      const reply = readIfThere(answer);
      const [, postgres, guard] = /^(\d+) (\d+)\n$/.exec(reply ?? "") ?? [];
      if (postgres && guard) {
        fs.rmSync(answer, { force: true });
        return { postgres: Number(postgres), guard: Number(guard) };
      }
      try {
        fs.writeSync(pipe, `${name}\n`);
      } catch (error) {
        // A full pipe holds enough names.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      }
      return null;
    },
    leave: () => fs.closeSync(pipe),
  };
}

function openPipe(home: PostgresHome): number {
  const made = spawnSync("mkfifo", ["-m", "600", home.pipe], { encoding: "utf8" });
  try {
    const { O_RDWR, O_NONBLOCK } = fs.constants;
    if (fs.lstatSync(home.pipe).isFIFO()) return fs.openSync(home.pipe, O_RDWR | O_NONBLOCK);
  } catch (error) {
    const reason = made.error?.message ?? (made.stderr.trim() || (error as Error).message);
    const whose = `${home.dataDir} must be a folder of the user who starts it`;
    throw new Error(`PostgreSQL cannot be used here, ${whose}: ${reason}`, { cause: error });
  }
  throw new Error(`${home.pipe} is in the way of a pipe; remove it.`);
}

export function isUsed(home: PostgresHome): boolean {
  const pipe = fs.openSync(home.pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    return fs.readSync(pipe, Buffer.alloc(1)) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return true;
    throw error;
  } finally {
    fs.closeSync(pipe);
  }
}
