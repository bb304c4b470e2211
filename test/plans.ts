import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** The statements of some kinds that a read or write sends, as they are sent. */
export async function statementsSent(
  pool: pg.Pool,
  read: (db: Db) => Promise<unknown>,
  kinds = /^\s*(select|with)/,
) {
  const statements: Statement[] = [];
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  await read(db);
  return statements.filter(({ sql }) => kinds.test(sql));
}

/** The tables of these that a statement reads from end to end. */
export async function scannedTables(pool: pg.Pool, statement: Statement, tables: string[]) {
  const plan = await planOf(pool, statement, "format json");
  const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan");
  return scanned
    .map((node) => node["Relation Name"] ?? "")
    .filter((table) => tables.includes(table));
}

/** How many rows of these tables a statement looks at, those that it throws away among them. */
export async function rowsRead(pool: pg.Pool, statement: Statement, ...tables: string[]) {
  const plan = await planOf(pool, statement, "analyze, format json");
  const read = plan.filter((node) => tables.includes(node["Relation Name"] ?? ""));
  const rows = read.map(
    (node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
  );
  return rows.reduce((sum, each) => sum + each, 0);
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  /** Of one loop, where the statement was run; none where this part of it never was. */
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Actual Loops": number;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** The plan of a statement that this connection has prepared and run often, as in production. */
async function planOf(pool: pg.Pool, { sql, parameters }: Statement, how: string): Promise<Plan[]> {
  const client = await pool.connect();
  try {
    // Rolled back with its connection: a writing statement is executed too.
    await client.query("begin");
    await client.query(`prepare read as ${sql}`);
    const literals = parameters.map((value) =>
      value === null ? "null" : pg.escapeLiteral(textOf(value)),
    );
    const execute = `execute read${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
    for (let turn = 0; turn < 7; turn += 1) await client.query(execute);
    const { rows } = await client.query(`explain (${how}) ${execute}`);
    return nodes(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    client.release(true);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join()}}` : String(value);
}
