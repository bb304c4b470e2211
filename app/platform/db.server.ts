import {
  type CompiledQuery,
  type Insertable,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
  type Transaction,
} from "kysely";
import pg from "pg";
import {
  applicationName,
  BoundedClient,
  BoundedPool,
  type Limits,
  type Purpose,
} from "#app/platform/postgres/bounded-pool.server.ts";
import { isKnownAbort, withKnownOutcomes } from "#app/platform/postgres/commit-outcome.server.ts";
import { type Address, followServers } from "#app/platform/postgres/servers.server.ts";
import {
  hasOwnNames,
  hasOwnSession,
  NO_PREPARED_STATEMENTS,
  NO_SESSION,
} from "#app/platform/postgres/session.server.ts";
import { isDatabaseAway } from "#app/platform/postgres/database-time.server.ts";
import type { Schema } from "./schema.ts";

export { isDatabaseAway } from "#app/platform/postgres/database-time.server.ts";

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

// Numerics stay text (never a float), dates stay "YYYY-MM-DD"; counts fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export const WORK_LIMITS: Limits = {
  connectMs: 15_000,
  statementMs: 15_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};
export const REQUEST_LIMITS: Limits = {
  connectMs: 2_000,
  statementMs: 3_000,
  lockMs: 2_800,
  idleInTransactionMs: 5_000,
};

/** Reading a large database takes longer than a job may. */
export const COMMAND_LIMITS: Limits = { ...WORK_LIMITS, statementMs: 600_000 };

/** Prepares statements, and times them out so that none holds a lock for long. */
export function openDatabase(
  connection: Address,
  max = 12,
  limits: Limits = WORK_LIMITS,
  purpose: Purpose = "command",
): Database {
  const pool = new BoundedPool(connection, max, limits, purpose);
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withKnownOutcomes(pool) }),
  });
  // Kysely's destroy() does not close a pool that Kysely itself has not used.
  return { db, pool, close: () => pool.end() };
}

const NO_LIMITS =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0";

/** A separate connection without time-outs, past any pooler; throws if it has no session of its own. */
export async function connectWithoutLimits(pool: pg.Pool): Promise<BoundedClient> {
  const { password, servers, direct = servers }: Address = pool.options;
  // pg leaves out a limit of 0, so that those of the role would apply: it is set below.
  const none = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  // A spread does not copy the pool's password.
  const config: Address = {
    ...pool.options,
    ...none,
    application_name: applicationName("session"),
    ...(password ? { password } : {}),
    ...(direct ? { servers: direct } : {}),
  };
  const open = () => openClient(config);
  const client = await open();
  try {
    if (!(await hasOwnSession(client, open))) throw new Error(NO_SESSION);
    await client.query(NO_LIMITS);
    client.limitMs = Infinity;
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Throws if a pooler in transaction mode passes the names of prepared statements on as they are. */
export async function checkPooler(address: Address): Promise<void> {
  const open = () => openClient({ connectionTimeoutMillis: WORK_LIMITS.connectMs, ...address });
  const client = await open();
  try {
    if (await hasOwnSession(client, open)) return;
    if (await hasOwnNames(client)) throw new Error(NO_PREPARED_STATEMENTS);
  } finally {
    await client.end();
  }
}

function openClient(config: Address): Promise<BoundedClient> {
  const { servers, connectionTimeoutMillis } = config;
  const connect = async () => {
    const client = new BoundedClient(followServers({ ...config }, servers));
    // 0 is none, as in pg.
    client.limitMs = connectionTimeoutMillis || Infinity;
    await client.connect();
    return client;
  };
  return servers ? servers.tryEach(connect) : connect();
}

export interface Statement<Row> {
  compile(executor: Tx): CompiledQuery<Row>;
}

/** The rows of statements that are sent in one message. PostgreSQL runs them in turn, so that each
 * sees what those before it have waited for; after one that fails none does anything. */
export function sendTogether<Rows extends unknown[]>(
  tx: Tx,
  ...statements: { [I in keyof Rows]: Statement<Rows[I]> }
): Promise<{ [I in keyof Rows]: Rows[I][] }> {
  const compiled = statements.map((statement) => statement.compile(tx));
  const sent = tx.getExecutor().provideConnection(async (connection) => {
    const results = await Promise.all(compiled.map((query) => connection.executeQuery(query)));
    return results.map(({ rows }) => rows);
  });
  return sent as Promise<{ [I in keyof Rows]: Rows[I][] }>;
}

type SendLast = (statements: Statement<unknown>[]) => Promise<void>;

/** A transaction whose last writes, of which nothing depends on a row, are sent in one message with its
 * COMMIT: `run` returns without their replies. If one fails, PostgreSQL rolls all of it back. */
export async function transact<T>(
  db: Db,
  run: (tx: Tx, sendLast: SendLast) => Promise<T>,
): Promise<T> {
  let replies: Promise<PromiseSettledResult<unknown>[]> | undefined;
  const ended = db.transaction().execute((tx) =>
    run(tx, async (statements) => {
      const compiled = statements.map((statement) => statement.compile(tx));
      await tx.getExecutor().provideConnection(async (connection) => {
        replies = Promise.allSettled(compiled.map((query) => connection.executeQuery(query)));
      });
    }),
  );
  const [end] = await Promise.allSettled([ended]);
  // A COMMIT that is known to have been done had all of them before it.
  if (end.status === "fulfilled") return end.value;
  for (const reply of (await replies) ?? []) {
    // Where only its reply was lost, the outcome of the COMMIT is its own.
    if (reply.status === "rejected" && !isLost(reply.reason)) throw reply.reason;
  }
  throw end.reason;
}

const isLost = (error: unknown) => isDatabaseAway(error) && !isKnownAbort(error);

/** A numeric column or expression as whole cents; null counts as 0. */
export function inCents(amount: string | RawBuilder<unknown>): RawBuilder<number> {
  const value = typeof amount === "string" ? sql.ref(amount) : amount;
  return sql`(coalesce(${value}, 0) * 100)::bigint`;
}

/** Whether a column has one of these: an array, so that the statement's text, which each process
 * prepares, is the same whatever their number. */
export const isOneOf = (column: string, values: string[], type: "uuid" | "text" = "uuid") =>
  sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`;

/** Inserts rows that all have the first one's columns, in their order, and as one value: the text is
 * the same whatever their number. At least one. */
export function insertRows<Name extends keyof Schema & string>(
  db: Db,
  table: Name,
  rows: Insertable<Schema[Name]>[],
) {
  const columns = Object.keys(rows[0]!) as (keyof Schema[Name] & string)[];
  return db.insertInto(table).columns(columns as never).expression(sql`
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
      with ordinality
    order by ordinality`);
}

/** Whether the text (SQL) has the words somewhere, compared as `folded` does. ASCII, as most is, takes
 * a twelfth of its time. */
export function hasWords(text: RawBuilder<unknown>, words: string): RawBuilder<boolean> {
  const isAscii = sql`octet_length(${text}) = length(${text})`;
  const folded = sql`case when ${isAscii} then lower(${text}) else folded(${text}) end`;
  return sql<boolean>`strpos(${folded}, (select folded(${words}))) > 0`;
}

/** A cluster and a database in it; a replica has its primary's. */
export const DATABASE_ID = sql<string>`
  (select system_identifier from pg_control_system()) || '/' || current_database()`;

export async function readDatabaseId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select ${DATABASE_ID} as id`.execute(db);
  return rows[0]!.id;
}

export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
