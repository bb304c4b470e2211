import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { type Database, openDatabase } from "../app/platform/db.server.ts";
import { type Jobs, openJobs } from "../app/platform/jobs.server.ts";

export interface TestDatabase extends Database {
  jobs: Jobs;
  connection: pg.ClientConfig;
}

/**
 * A migrated database of the test file's own, dropped afterwards. Call it at the top of the file
 * and read the result inside tests and hooks.
 */
export function useDatabase(max?: number): TestDatabase {
  const world = {} as TestDatabase;
  const name = `kickabout_t_${randomBytes(6).toString("hex")}`;
  beforeAll(async () => {
    await administer(`create database ${name} template ${inject("template")}`);
    const connection = at(name);
    const database = openDatabase(connection, max);
    Object.assign(world, database, { jobs: await openJobs(database.pool), connection });
  });
  afterAll(async () => {
    await world.jobs.stop();
    await world.close();
    await administer(`drop database ${name} with (force)`);
  });
  return world;
}

function at(database: string): pg.ClientConfig {
  const server = inject("server");
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

async function administer(statement: string) {
  const client = new pg.Client(inject("server"));
  await client.connect();
  await client.query(statement);
  await client.end();
}
