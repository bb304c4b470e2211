import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Connection } from "#app/platform/connect.server.ts";
import { COMMAND_LIMITS, openDatabase } from "#app/platform/db.server.ts";
import { readCounts } from "./counts.ts";
import { runTool } from "./pg-tools.ts";
import type { Copy, Store } from "./store.ts";

/** pg_dump and pg_restore; a copy is another database of the same server. */
export function openServerStore(database: Connection): Store {
  const { connectionString = "" } = database.pool.options;
  const name = databaseOf(connectionString);
  const inUse = { connectionString };
  const prefix = `${name.slice(0, 40)}_copy_`;
  return {
    file: "database.dump",

    async dump(client, file) {
      await client.query("begin isolation level repeatable read, read only");
      const { rows } = await client.query<{ id: string }>("select pg_export_snapshot() as id");
      const counts = await readCounts(client);
      const snapshot = `--snapshot=${rows[0]!.id}`;
      await runTool("pg_dump", ["--format=custom", `--file=${file}`, snapshot], inUse);
      await client.query("commit");
      return counts;
    },

    async restore(file) {
      const copy = prefix + randomBytes(4).toString("hex");
      await createDatabase(inUse, copy);
      try {
        const options = ["--no-owner", "--no-privileges", "--exit-on-error", `--dbname=${copy}`];
        await runTool("pg_restore", [...options, file], inUse);
        return connectCopy(database, { inUse, name, copy });
      } catch (error) {
        await administer(inUse, `drop database ${quote(copy)} with (force)`);
        throw error;
      }
    },

    // pg_restore says so itself.
    async checkPostgres() {},

    async dropLeftovers() {
      const { rows } = await database.pool.query<{ datname: string }>(
        `select datname from pg_database
        where starts_with(datname, $1) and datname ~ '_copy_[0-9a-f]{8}$'`,
        [prefix],
      );
      for (const { datname } of rows) {
        await administer(inUse, `drop database ${quote(datname)} with (force)`);
      }
    },
  };
}

type Names = { inUse: pg.ClientConfig; name: string; copy: string };

function connectCopy(database: Connection, { inUse, name, copy }: Names): Copy {
  const opened = openDatabase(at(inUse, copy), 2, COMMAND_LIMITS);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= opened.close());
  return {
    database: { ...opened, location: null, close },
    async drop() {
      await close();
      await administer(inUse, `drop database ${quote(copy)} with (force)`);
    },
    async adopt(now, then) {
      const former = `${name.slice(0, 40)}_before_${now.toISOString().replace(/\D/g, "").slice(0, 14)}`;
      await Promise.all([close(), database.close()]);
      // Both or neither; a database is renamed from another one.
      await administer(
        at(inUse, "postgres"),
        `begin; alter database ${quote(name)} rename to ${quote(former)};
        alter database ${quote(copy)} rename to ${quote(name)}; commit`,
      );
      if (then === "keep") return `database ${former}`;
      await administer(at(inUse, name), `drop database ${quote(former)}`);
      return null;
    },
  };
}

async function createDatabase(inUse: pg.ClientConfig, name: string) {
  try {
    await administer(inUse, `create database ${quote(name)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error;
    const { user } = new pg.Client(inUse);
    throw new Error(
      `The user ${user} may not create the copy: as a superuser, alter role ${user} createdb`,
      { cause: error },
    );
  }
}

const quote = (name: string) => new pg.Client().escapeIdentifier(name);

function databaseOf(connectionString: string): string {
  return new pg.Client({ connectionString }).database ?? "";
}

function at({ connectionString = "" }: pg.ClientConfig, database: string): pg.ClientConfig {
  const url = new URL(connectionString);
  url.pathname = `/${encodeURIComponent(database)}`;
  return { connectionString: url.href };
}

async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
