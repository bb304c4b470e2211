import path from "node:path";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#app/platform/db.server.ts";
import { startEmbeddedPostgres } from "#app/platform/postgres/embedded.server.ts";
import { installJobs } from "#app/jobs.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import packageJson from "../package.json" with { type: "json" };
import { administer, at } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    server: pg.ClientConfig;
    template: string;
  }
}

/** Migrates one template database a run; test/db.ts clones it for each test file. */
export default async function setup(project: TestProject) {
  checkNode();
  const server = await testServer();
  const template = `kickabout_test_${process.pid}`;
  await administer(server.connection, `create database ${template}`);
  const { pool, close } = openDatabase(at(server.connection, template));
  await migrate(pool);
  await installJobs(pool);
  await close();
  project.provide("server", server.connection);
  project.provide("template", template);
  return async () => {
    await administer(server.connection, `drop database if exists ${template} with (force)`);
    await server.release();
  };
}

/** An older Node fails somewhere in the tests, and looks like a bug of theirs. */
function checkNode() {
  const { version } = packageJson.devEngines.runtime;
  if (Number.parseInt(process.versions.node) >= Number(version.replace(">=", ""))) return;
  throw new Error(`The tests need Node ${version} and this is ${process.version}: use npm or npx.`);
}

/** TEST_DATABASE_URL (PostgreSQL 15 or newer) where given, else the embedded one. */
async function testServer() {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, release: async () => {} };
  const embedded = await startEmbeddedPostgres(path.join(projectRoot, ".cache", "test"));
  // These databases end with the run: nothing in them has to outlive a power cut.
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"]) {
    await administer(embedded.connection, `alter system set ${setting} = off`);
  }
  await administer(embedded.connection, "select pg_reload_conf()");
  return { connection: embedded.connection, release: () => embedded.release() };
}
