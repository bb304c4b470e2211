import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

/**
 * Runs writes that open transactions of their own as one: on one connection, inside one outer
 * transaction, theirs become savepoints. Whatever fails, or a crash, leaves nothing behind.
 */
export async function allOrNothing<T>(pool: pg.Pool, write: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await write(nested(client));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const NESTED: Record<string, string> = {
  begin: "savepoint write",
  commit: "release savepoint write",
  rollback: "rollback to savepoint write",
};

function nested(client: pg.PoolClient): Db {
  const connection = {
    query: (text: string, values?: unknown[]) =>
      NESTED[text] ? client.query(NESTED[text]) : client.query(text, values),
    release() {},
  };
  const pool = { connect: async () => connection, end: async () => {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
}
