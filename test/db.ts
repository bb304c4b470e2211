import { randomBytes } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { TEST_SECRET } from "#app/platform/job-token-fixture.ts";
import { administer, at } from "./postgres.ts";

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
    await administer(inject("server"), `create database ${name} template ${inject("template")}`);
    const connection = at(inject("server"), name);
    const database = openDatabase(connection, max);
    const jobs = await openJobs(database.pool, TEST_SECRET);
    Object.assign(world, database, { jobs, connection });
  });
  afterAll(async () => {
    await world.jobs.stop();
    await world.close();
    await administer(inject("server"), `drop database ${name} with (force)`);
  });
  return world;
}
