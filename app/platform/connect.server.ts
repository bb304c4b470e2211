import { type Database, openDatabase } from "./db.server.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.server.ts";

export interface Connection extends Database {
  /** Where the embedded cluster lives when that is not DATA_DIR. */
  location: string | null;
}

/** Opens DATABASE_URL where given, else the embedded PostgreSQL, which ends with its last user. */
export async function connect(env: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Connection> {
  if (env.databaseUrl) {
    return { ...openDatabase({ connectionString: env.databaseUrl }), location: null };
  }
  const embedded = await startEmbeddedPostgres(env.dataDir);
  const database = openDatabase(embedded.connection);
  return {
    ...database,
    location: embedded.location,
    async close() {
      await database.close();
      await embedded.release();
    },
  };
}
