import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import type pg from "pg";
import { onTestFinished } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { urlOf } from "./postgres.ts";

interface Surroundings {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** The program that it runs under, with its arguments. */
  under?: string[];
  /** Options of Node. */
  node?: string[];
  /** Of the process, where this one may choose it. */
  uid?: number;
}

/** Runs one of the commands of `scripts/` in a process of its own. */
export function runScript(script: string, args: string[] = [], surroundings: Surroundings = {}) {
  const child = startScript(script, args, surroundings);
  // One that hangs.
  onTestFinished(() => void child.kill("SIGKILL"));
  return outcomeOf(child);
}

/** It has none of this process's variables but the two that it needs. */
export function startScript(
  script: string,
  args: string[],
  { env, cwd = projectRoot, under = [], node = [], ...user }: Surroundings,
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const file = path.join(projectRoot, "scripts", script);
  const [program = "", ...all] = [...under, process.execPath, ...node, file, ...args];
  const own = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: "silent" };
  return spawn(program, all, { cwd, env: { ...own, ...env }, ...user });
}

export async function outcomeOf(child: ChildProcessWithoutNullStreams) {
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, problems };
}

/** Runs `scripts/NAME.ts` with these arguments on a database, as an operator does. */
export const runCommand = (
  connection: pg.ClientConfig,
  [name, ...args]: string[],
  { env, ...user }: Pick<Surroundings, "env" | "uid"> = {},
) => runScript(`${name}.ts`, args, { env: { DATABASE_URL: urlOf(connection), ...env }, ...user });

/** Every row of every table of ours, and of the queue's. */
export async function dumpRows(pool: pg.Pool): Promise<unknown> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss') order by 1`,
  );
  // pg-boss notes when it last looked after its queues.
  const row = (name: string) =>
    /^pgboss\.(queue|version)$/.test(name)
      ? "to_jsonb(one) - '{updated_on,bam_on,flow_on}'::text[]"
      : "to_jsonb(one)";
  const all = tables.map(
    ({ name }) => `(select jsonb_agg(${row(name)} order by ${row(name)}) from ${name} one)`,
  );
  const names = tables.map(({ name }) => name);
  const { rows } = await pool.query(`select jsonb_build_array(${all.join(", ")}) as all`);
  return Object.fromEntries(names.map((name, n) => [name, rows[0].all[n]]));
}
