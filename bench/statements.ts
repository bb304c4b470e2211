import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

export interface Statement {
  text: string;
  /** Values that PostgreSQL logs: text, or null. */
  values: (string | null)[];
}

const ENTRY = /^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] /m;
const SETTLED_MS = 300;

/**
 * The statements that the database ran for an action, in order, from its own log. Those that come by
 * themselves (the job queue looking for work) are left out; the action's own insert of a job stays.
 */
export async function statementsOf(
  { pool, dataDir }: Scenario,
  action: () => Promise<unknown>,
): Promise<Statement[]> {
  const log = path.join(dataDir, "postgres.log");
  await setting(pool, "set log_statement = 'all'");
  await delay(SETTLED_MS);
  const before = statSync(log).size;
  await action();
  await delay(SETTLED_MS);
  const written = readFileSync(log).subarray(before).toString();
  await setting(pool, "reset log_statement");
  return parse(written).filter(({ text }) => !isBackground(text));
}

async function setting(pool: Scenario["pool"], change: string): Promise<void> {
  await pool.query(`alter system ${change}`);
  await pool.query("select pg_reload_conf()");
}

function parse(log: string): Statement[] {
  const statements: Statement[] = [];
  for (const entry of log.split(ENTRY)) {
    const statement = /^LOG: {2}(?:execute [^:]+|statement): ([\s\S]*)/.exec(entry)?.[1];
    const values = /^DETAIL: {2}Parameters: ([\s\S]*)/.exec(entry)?.[1];
    if (statement !== undefined) statements.push({ text: statement.trim(), values: [] });
    else if (values !== undefined) statements.at(-1)!.values = parseValues(values);
  }
  return statements;
}

function parseValues(text: string): (string | null)[] {
  const found = text.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|(NULL))/g);
  return [...found].map(([, value]) => value?.replaceAll("''", "'") ?? null);
}

function isBackground(text: string): boolean {
  return text.includes("pgboss") && !/^INSERT INTO pgboss\.job/.test(text);
}
