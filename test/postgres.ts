import pg from "pg";
import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The connection to another database of the same server. */
export function at(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** The same as a URL: what the test server is reached by may be a folder with a socket. */
export function urlOf({ connectionString, host = "", port, user, database }: pg.ClientConfig) {
  if (connectionString) return connectionString;
  const query = new URLSearchParams({ host, port: String(port ?? 5432) });
  return `postgres://${user}@localhost/${database}?${query}`;
}

/** Runs one statement on a connection of its own, such as `create database`. */
export async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The database that test/markup-scenario.ts makes to copy from, and the folder of what was found there. */
export const siteOf = (template: string) => `${template}_site`;
export const folderOfSite = (template: string) => path.join(tmpdir(), siteOf(template));

const IN_MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where databases that end with the run are kept: in memory where there is plenty of it, since
 * creating and deleting their hundreds of files on a disk costs more than the tests' own work.
 */
export function scratchFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    accessSync(IN_MEMORY, constants.W_OK);
    return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
