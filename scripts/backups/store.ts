import type pg from "pg";
import type { Connection } from "#app/platform/connect.server.ts";
import type { readDatabaseEnv } from "#app/platform/env.server.ts";
import { withSessionLock } from "#app/platform/postgres/session-locks.server.ts";
import type { Counts } from "./manifest.ts";

/** A restored database beside the one that is in use. */
export interface Copy {
  database: Connection;
  drop(): Promise<void>;
  /** Takes the place of the one in use; returns the name of that, if it is kept. */
  adopt(now: Date, former: "keep" | "drop"): Promise<string | null>;
}

/** How a database is written into a file, and read from it. */
export interface Store {
  file: string;
  /** On a client with the lock; the counts are exactly of what is in the file. */
  dump(client: pg.Client, file: string): Promise<Counts>;
  restore(file: string): Promise<Copy>;
  /** Throws where a file of that version cannot be read. */
  checkPostgres(version: string): Promise<void>;
  /** What a killed restore has left. */
  dropLeftovers(): Promise<void>;
}

export type Place = ReturnType<typeof readDatabaseEnv>;

export async function postgresVersion({ pool }: Connection): Promise<string> {
  const { rows } = await pool.query<{ server_version: string }>("show server_version");
  return rows[0]!.server_version;
}

/** One backup or restore at a time; the second one fails at once. */
export function withBackupLock<T>(
  { pool }: Connection,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const taken = "A backup or restore of this database is running already";
  return withSessionLock(pool, { lock: "backups", taken }, run);
}
