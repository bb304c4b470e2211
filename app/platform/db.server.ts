import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { withKnownOutcomes } from "./commit-outcome.server.ts";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

// Numeric stays text (never a float), a date stays "YYYY-MM-DD"; counts fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * Opens the pool. Statements are prepared once a connection and time out, so that a stuck one
 * never holds a game or a wallet for long.
 */
export function openDatabase(connection: pg.PoolConfig, max = 12): Database {
  const pool = new pg.Pool({
    ...connection,
    max,
    Client: PreparedClient,
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  // An idle connection that the server closes must not end the process; the next query reports it.
  pool.on("error", () => {});
  // Nor must one that goes in the middle of a transaction, where the pool does not listen.
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withKnownOutcomes(pool) }),
  });
  // Kysely's own destroy would leave a pool open that only others have used.
  return { db, pool, close: () => pool.end() };
}

/** Answers when the database does; rejects otherwise. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

// What Node says of a server that is not there, and PostgreSQL of one that comes or goes.
const AWAY = /^(ECONN(REFUSED|RESET)|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|57P0\d|08\w{3})$/;

/** Whether a query failed because the database does not answer, and might well a little later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code } = error as { code?: unknown };
  // The pool's own errors have no code.
  return code
    ? AWAY.test(String(code))
    : /^Connection terminated|timeout.*connect|not queryable$/.test(error.message);
}

const statementNames = new Map<string, string>();
const MAX_STATEMENTS = 1_000;

/** Statement names by text, the same in every connection; texts beyond the cap run unnamed. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known || statementNames.size >= MAX_STATEMENTS) return known;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

// pg prepares a statement only when it is named; Kysely names none.
class PreparedClient extends pg.Client {}
const plainQuery = pg.Client.prototype.query as (...args: unknown[]) => unknown;
PreparedClient.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
  const [text, values, callback] = args;
  // Without values it may be several statements, which only the simple protocol takes.
  const isPlain = typeof text !== "string" || !Array.isArray(values) || values.length === 0;
  if (isPlain) return plainQuery.apply(this, args);
  return plainQuery.call(this, { name: statementName(text), text, values }, callback);
} as typeof pg.Client.prototype.query;
