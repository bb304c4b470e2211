import { randomBytes } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import { type Jobs, openJobs } from "#app/platform/jobs.server.ts";
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
    Object.assign(world, database, { jobs: lazyJobs(connection), connection });
  });
  afterAll(async () => {
    await world.jobs.stop();
    await world.close();
    await administer(inject("server"), `drop database ${name} with (force)`);
  });
  return world;
}

/**
 * The queues, opened with the first job: few files have one. On connections of their own, since
 * that job's transaction may hold the last one of the pool.
 */
function lazyJobs(connection: pg.ClientConfig): Jobs {
  let opened: Promise<{ jobs: Jobs; close(): Promise<void> }> | undefined;
  const openOnce = async () => {
    const { pool, close } = openDatabase(connection, 2);
    return { jobs: await openJobs(pool, TEST_SECRET), close };
  };
  const open = async () => (await (opened ??= openOnce())).jobs;
  return {
    enqueue: async (tx, queue, data, when) => (await open()).enqueue(tx, queue, data, when),
    retryFailed: async (tx, id) => (await open()).retryFailed(tx, id),
    work: async (handlers) => (await open()).work(handlers),
    async stop() {
      const used = await opened;
      await used?.jobs.stop();
      await used?.close();
    },
  };
}
