import { beforeAll, vi } from "vitest";
import type { TestDatabase } from "./db.ts";

const NO_TIMEOUTS = {
  connectionTimeoutMillis: 0,
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/**
 * For crowds and long tests: they prove who wins, not how fast, and so wait as long as a busy
 * machine takes. Call it after useDatabase.
 */
export function withoutTimeouts(database: TestDatabase): void {
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
  beforeAll(async () => {
    Object.assign(database.pool.options, NO_TIMEOUTS);
    database.pool.on("connect", (client) => Object.assign(client, { limitMs: Infinity }));
    // Connections that are open already keep their timeouts.
    const open = Array.from({ length: database.pool.idleCount }, () => database.pool.connect());
    for (const client of await Promise.all(open)) client.release(true);
  });
}
