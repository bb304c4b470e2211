import type pg from "pg";
import { openDatabase, pingDatabase } from "./db.server.ts";

export interface Readiness {
  /** Whether the database answers; decided within 2 seconds. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

// With the 300 ms that openDatabase adds for the way, connecting and asking stay below 2 seconds.
const LIMITS = { connectMs: 800, statementMs: 600, lockMs: 600, idleInTransactionMs: 600 };

/** Asks the database on a connection of its own; who asks meanwhile shares the answer. */
export function createReadiness(connection: pg.PoolConfig): Readiness {
  const { db, close } = openDatabase(connection, 1, LIMITS);
  let asking: Promise<boolean> | null = null;
  const ask = () =>
    pingDatabase(db)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = null));
  return { isUp: () => (asking ??= ask()), close };
}
