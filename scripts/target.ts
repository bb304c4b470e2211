import { connect, type Connection } from "#app/platform/connect.server.ts";
import { readDatabaseId } from "#app/platform/db.server.ts";
import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { say } from "./command.ts";

/** Says what is about to be written over. Throws if DATABASE_DIRECT_URL leads elsewhere. */
export async function announceTarget(database: Connection): Promise<void> {
  const { databaseUrl, dataDir } = readDatabaseEnv();
  say(`In ${databaseUrl ? entryOf(databaseUrl) : `the embedded database of ${dataDir}`}:`);
  const { DATABASE_URL: pooled, DATABASE_DIRECT_URL: directUrl } = process.env;
  if (!pooled || !directUrl) return;
  const other = await connect({ databaseUrl: pooled, directUrl, dataDir });
  try {
    if ((await readDatabaseId(other.db)) === (await readDatabaseId(database.db))) return;
    throw new Error("DATABASE_DIRECT_URL and DATABASE_URL lead to two databases");
  } finally {
    await other.close();
  }
}

function entryOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `the database ${pathname.slice(1)} at ${searchParams.get("host") ?? host}`;
}
