import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type pg from "pg";
import { projectRoot } from "#app/platform/root.server.ts";
import { urlOf } from "./postgres.ts";

interface Options {
  env?: Record<string, string>;
  /** Of the process, where this one may choose it. */
  uid?: number;
}

/** Runs `scripts/NAME.ts` with these arguments on a database, as an operator does. */
export async function runCommand(
  connection: pg.ClientConfig,
  [name, ...args]: string[],
  { env, ...user }: Options = {},
) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: "silent",
      DATABASE_URL: urlOf(connection),
      ...env,
    },
    ...user,
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, problems };
}

/** Every row of every table of ours, and of the queue's. */
export async function dumpRows(pool: pg.Pool): Promise<unknown> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss') order by 1`,
  );
  const all = tables.map(({ name }) => `(select jsonb_agg(one) from ${name} one)`);
  const names = tables.map(({ name }) => name);
  const { rows } = await pool.query(`select jsonb_build_array(${all.join(", ")}) as all`);
  return Object.fromEntries(names.map((name, n) => [name, rows[0].all[n]]));
}
