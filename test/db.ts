import { randomBytes } from "node:crypto";
import { type RootOperationNode, sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { type Database, type Db, openDatabase, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { administer, at } from "./postgres.ts";

export interface TestDatabase extends Database {
  /** Rejects a job on a transaction that has written nothing. */
  jobs: Jobs;
  /** The same without that check, for tests of the queue itself. */
  queue: Jobs;
  connection: pg.ClientConfig;
}

/**
 * A migrated database of the test file's own, dropped afterwards. Call it at the top of the file
 * and read the result inside tests and hooks. Each of its connections plans every statement for itself:
 * only tests of many at once need more of them. Another `template` has rows already.
 */
export function useDatabase(max = 4, template = async () => inject("template")): TestDatabase {
  const scenario = {} as TestDatabase;
  const name = `kickabout_t_${randomBytes(6).toString("hex")}`;
  beforeAll(async () => {
    Object.assign(scenario, await copyDatabase(name, await template(), max));
    // Another process may have to make the template first.
  }, 600_000);
  afterAll(async () => {
    await closeDatabase(scenario);
    await administer(inject("server"), `drop database ${name} with (force)`);
  });
  return scenario;
}

/** Makes a database of this name as a copy of another one, and opens it. */
export async function copyDatabase(name: string, template: string, max?: number) {
  // Copying its files costs a third of writing all their pages to the log.
  const copy = `create database ${name} template ${template} strategy file_copy`;
  await administer(inject("server"), copy);
  const connection = at(inject("server"), name);
  const queue = lazyJobs(connection);
  const database = openDatabase(connection, max);
  return { ...database, jobs: withUncommittedWork(queue), queue, connection };
}

export async function closeDatabase({ jobs, close }: TestDatabase): Promise<void> {
  await jobs.stop();
  await close();
}

/**
 * A job is queued by the transaction that wrote what it is about, so that both are there or neither
 * is. Any test of a write fails where a job comes on another one, which has written nothing yet.
 */
function withUncommittedWork(jobs: Jobs): Jobs {
  const expectWritten = async (tx: Tx, queue: string) => {
    // What a transaction writes to it keeps locked in this mode until it ends.
    const { rows: written } = await sql`
      select from pg_locks join pg_class on pg_class.oid = relation
      where pid = pg_backend_pid() and mode = 'RowExclusiveLock'
        and relnamespace = 'public'::regnamespace limit 1`.execute(tx);
    if (written.length === 0) throw new Error(`${queue}: queued before anything was written`);
  };
  return {
    ...jobs,
    async enqueue(tx, ...job) {
      await expectWritten(tx, job[0]);
      await jobs.enqueue(tx, ...job);
    },
    async enqueueEmails(tx, ...emails) {
      if (emails[1].length > 0) await expectWritten(tx, emails[0]);
      await jobs.enqueueEmails(tx, ...emails);
    },
    async enqueueAll(tx, ...job) {
      if (job[1].length > 0) await expectWritten(tx, job[0]);
      await jobs.enqueueAll(tx, ...job);
    },
  };
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
    enqueueAll: async (tx, queue, data, when) => (await open()).enqueueAll(tx, queue, data, when),
    enqueueEmails: async (tx, ...emails) => (await open()).enqueueEmails(tx, ...emails),
    toEnqueueEmail: async (kind, data) => (await open()).toEnqueueEmail(kind, data),
    retryFailed: async (tx, id) => (await open()).retryFailed(tx, id),
    work: async (handlers) => (await open()).work(handlers),
    async stop() {
      const used = await opened;
      await used?.jobs.stop();
      await used?.close();
    },
  };
}

/** The same database, where `meanwhile` runs once the first statement with this text has its result: its
 * transaction is open, and holds what it has locked. */
export function pausedAfter(db: Db, text: string, meanwhile: () => Promise<unknown>): Db {
  let paused: object | undefined;
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      const isIt = node.kind === "RawNode" && node.sqlFragments.join("?").includes(text);
      if (isIt) paused ??= queryId;
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queryId === paused) await meanwhile();
      return result;
    },
  });
}

/** The same database, whose queries are counted, or fail, before they are sent. */
export function watchQueries(db: Db, see: (query: RootOperationNode) => void): Db {
  return db.withPlugin({
    transformQuery({ node }) {
      see(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** What the tokens in the jobs of tests are sealed with. */
export const TEST_SECRET = "the tests' own secret, 32 characters";
