import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

/**
 * Runs writes that open transactions of their own as one: on one connection, inside one outer
 * transaction, theirs become savepoints. Whatever fails, or a crash, leaves nothing behind.
 */
export function allOrNothing<T>(pool: pg.Pool, write: (db: Db) => Promise<T>): Promise<T> {
  return within(pool, "commit", write);
}

/**
 * The same, and nothing is left behind of what succeeds either: nobody else ever sees a row of it,
 * and no job or notification of it begins. Each inner commit makes its deferred checks all the same.
 */
export function rolledBack<T>(pool: pg.Pool, write: (db: Db) => Promise<T>): Promise<T> {
  return within(pool, "rollback", write);
}

async function within<T>(
  pool: pg.Pool,
  end: "commit" | "rollback",
  write: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const scope = { isOver: false };
  try {
    await client.query("begin");
    const result = await write(nested(client, scope));
    scope.isOver = true;
    await client.query(end);
    client.release();
    return result;
  } catch (error) {
    scope.isOver = true;
    // The server rolls back; whatever is still on its way can do nothing on a closed connection.
    client.release(true);
    throw error;
  }
}

const CHECKED = "set constraints all immediate; set constraints all deferred";
const NESTED: [RegExp, string][] = [
  [/^(begin|start transaction)/, "savepoint write"],
  [/^commit$/, `${CHECKED}; release savepoint write`],
  [/^rollback$/, "rollback to savepoint write"],
];

/** One query or transaction at a time, as a pool of one connection: savepoints do not overlap. */
function nested(client: pg.PoolClient, scope: { isOver: boolean }): Db {
  let last = Promise.resolve();
  const connect = async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return { query, release };
  };
  const query = async (text: string, values?: unknown[]) => {
    // Outside of the transaction it would stay.
    if (scope.isOver) throw new Error("the outer transaction is over");
    const inner = NESTED.find(([pattern]) => pattern.test(text))?.[1];
    return inner ? client.query(inner) : client.query(text, values);
  };
  const pool = { connect, end: async () => {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
}
