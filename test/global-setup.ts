import path from "node:path";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#app/platform/db.server.ts";
import { startEmbeddedPostgres } from "#app/platform/postgres/embedded.server.ts";
import { installJobs } from "#app/jobs.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import packageJson from "../package.json";
import { administer, at, folderOfSite, scratchFolder, siteOf } from "./postgres.ts";
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";

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
    // What the tests themselves have made to copy from begins with its name.
    for (const name of [template, siteOf(template), `${siteOf(template)}_draft`]) {
      await administer(server.connection, `drop database if exists ${name} with (force)`);
    }
    rmSync(folderOfSite(template), { recursive: true, force: true });
    await server.release();
  };
}

/** An older Node fails somewhere in the tests, and looks like a bug of theirs. */
function checkNode() {
  const { version } = packageJson.devEngines.runtime;
  if (Number.parseInt(process.versions.node) >= Number(version.replace(">=", ""))) return;
  throw new Error(`The tests need Node ${version} and this is ${process.version}: use npm or npx.`);
}

// These databases end with the run: nothing in them has to outlive a power cut.
const SETTINGS = [
  "fsync = off",
  "full_page_writes = off",
  "synchronous_commit = off",
  "autovacuum = off",
  "max_wal_size = '256MB'",
];

/** TEST_DATABASE_URL (PostgreSQL 15 or newer, 200 connections) where given, otherwise the embedded one. */
async function testServer() {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, release: async () => {} };
  const folder = path.join(scratchFolder(), `kickabout-test-${hashOf(projectRoot)}`);
  const embedded = await startEmbeddedPostgres(folder);
  for (const setting of SETTINGS) {
    await administer(embedded.connection, `alter system set ${setting}`);
  }
  await administer(embedded.connection, "select pg_reload_conf()");
  const release = async () => {
    await embedded.release();
    // Another run may be using it still.
    const isDown = !existsSync(path.join(folder, "postgres", "postmaster.pid"));
    if (isDown) rmSync(folder, { recursive: true, force: true });
  };
  return { connection: embedded.connection, release };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
