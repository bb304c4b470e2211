import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { COMMAND_LIMITS } from "#app/platform/db.server.ts";
import {
  findHome,
  homeLike,
  isAlive,
  type PostgresHome,
} from "#app/platform/postgres/embedded-home.server.ts";
import { writeBaseBackup } from "./base-backup.ts";
import { readCounts } from "./counts.ts";
import { type Copy, postgresVersion, type Store } from "./store.ts";

const COPY = /^copy-[0-9a-f]{8}$/;

/** The cluster's own files, since the package has no pg_dump; a copy is a server of its own. */
export function openEmbeddedStore(dataDir: string, live: Connection): Store {
  const inUse = findHome(dataDir);
  const restore = (file: string) => startCopy({ inUse, live }, file);
  return {
    file: "cluster.tar.gz",

    /** What was written meanwhile is in it: only the copy itself can be counted. */
    async dump(client, file) {
      await writeBaseBackup(client, file);
      const copy = await restore(file);
      try {
        return await readCounts(copy.database.pool);
      } finally {
        await copy.drop();
      }
    },

    restore,

    async checkPostgres(version) {
      const ours = await postgresVersion(live);
      if (Number.parseInt(version) === Number.parseInt(ours)) return;
      throw new Error(`The backup is of PostgreSQL ${version}, and this is ${ours}`);
    },

    async dropLeftovers() {
      const names = await readdir(inUse.dataDir);
      for (const name of names.filter((each) => COPY.test(each))) {
        await removeHome(findHome(path.join(inUse.dataDir, name)));
      }
    },
  };
}

type Live = { inUse: PostgresHome; live: Connection };

async function startCopy({ inUse, live }: Live, file: string): Promise<Copy> {
  const folder = path.join(inUse.dataDir, `copy-${randomBytes(4).toString("hex")}`);
  const home = homeLike(inUse, folder);
  try {
    await mkdir(home.cluster, { recursive: true });
    await chmod(home.cluster, 0o700);
    unpack(file, home.cluster);
    const database = await connect({ databaseUrl: undefined, dataDir: folder }, COMMAND_LIMITS);
    return {
      database,
      async drop() {
        await database.close();
        await removeHome(home);
      },
      async adopt(now, then) {
        await Promise.all([database.close(), live.close()]);
        const former = await swap(inUse, home, now);
        await removeHome(home);
        if (then === "keep") return `folder ${former}`;
        await rm(former, { recursive: true });
        return null;
      },
    };
  } catch (error) {
    await removeHome(home);
    throw error;
  }
}

function unpack(file: string, folder: string) {
  const args = ["-xzf", file, "-C", folder, "--no-same-owner"];
  const { status, stderr, error } = spawnSync("tar", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar failed: ${error?.message ?? stderr.trim()}`);
}

/** Anybody who starts it meanwhile has written its pid into the folder that is moved away. */
async function swap(inUse: PostgresHome, copy: PostgresHome, now: Date): Promise<string> {
  const former = `${inUse.cluster}.before-${now.toISOString().replaceAll(":", "")}`;
  if (isAlive(inUse)) throw new Error("The database is in use: stop every process first");
  await rename(inUse.cluster, former);
  if (existsSync(path.join(former, "postmaster.pid"))) {
    await rename(former, inUse.cluster);
    throw new Error("The database is in use: stop every process first");
  }
  await rename(copy.cluster, inUse.cluster);
  return former;
}

async function removeHome({ dataDir, location, socketDir }: PostgresHome) {
  for (const folder of [dataDir, socketDir, ...(location ? [location] : [])]) {
    await rm(folder, { recursive: true, force: true });
  }
}
