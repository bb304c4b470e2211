import "./load-env.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { COMMAND_LIMITS } from "#app/platform/db.server.ts";
import { describeWait, reportLockWaits } from "#app/platform/postgres/session-locks.server.ts";
import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { hasCluster } from "#app/platform/postgres/embedded-home.server.ts";
import { explain } from "./explain.ts";

interface Options {
  /** Makes the embedded database where there is none yet. */
  mayCreate?: boolean;
}

/**
 * Runs a command on the database of the environment; whatever it throws becomes one line and exit
 * code 1, as does a result of false.
 */
export async function command(
  run: (database: Connection) => Promise<boolean | void>,
  { mayCreate = false }: Options = {},
) {
  let database: Connection | undefined;
  try {
    const place = readDatabaseEnv();
    if (!place.databaseUrl && !mayCreate && !hasCluster(place.dataDir)) {
      throw new Error(`No database is in ${place.dataDir}: set DATABASE_URL or DATA_DIR`);
    }
    const opened = await connect(place, COMMAND_LIMITS);
    const endReports = reportLockWaits(opened.pool, (wait) => warn(describeWait(wait)));
    // A restore takes the place of a database that it has closed: nothing of ours may be left in it.
    database = { ...opened, close: () => endReports().finally(opened.close) };
    if ((await run(database)) === false) process.exitCode = 1;
  } catch (error) {
    fail(error);
  } finally {
    await database?.close().catch(fail);
  }
}

/** For cron, which sends an email about whatever is printed: only differences, no totals. */
export const QUIET = { quiet: { type: "boolean", default: false } } as const;

export function say(line: string) {
  process.stdout.write(`${line}\n`);
}

export function warn(line: string) {
  process.stderr.write(`${line}\n`);
}

export function fail(error: unknown) {
  warn(explain(error));
  process.exitCode = 1;
}
