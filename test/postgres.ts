import pg from "pg";

/** The connection to another database of the same server. */
export function at(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** The same as a URL: what the test server is reached by may be a folder with a socket. */
export function urlOf({ connectionString, host = "", port, user, database }: pg.ClientConfig) {
  if (connectionString) return connectionString;
  const query = new URLSearchParams({ host, port: String(port ?? 5432) });
  return `postgres://${user}@localhost/${database}?${query}`;
}

/** Runs one statement on a connection of its own, such as `create database`. */
export async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}
