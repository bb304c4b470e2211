import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, vi } from "vitest";
import { addAccount, PASSWORD } from "./accounts.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { deleteAccount } from "#app/features/privacy/delete-account.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { Tx, Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { somePacks } from "./payments.ts";
import { NOW } from "./fixtures.ts";

export type DeleteTickets = (tx: Tx, userId: string) => Promise<void>;
export const noTickets: DeleteTickets = async () => {};

interface Removal {
  password?: string;
  deleteTickets?: DeleteTickets;
  db?: Db;
  jobs?: Jobs;
}

/** For tests of deletions: an app, players who know their password, and their way out. */
export function useErasure() {
  const database = useDatabase();
  const scenario = {} as { app: ReturnType<typeof testApp> };
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-erasure-"));
  beforeAll(async () => {
    scenario.app = testApp(database, () => NOW);
    await somePacks(scenario.app.db);
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));
  return {
    database,
    dataDir,
    get app() {
      return scenario.app;
    },
    async player({ credits = 100 } = {}) {
      const account = await addAccount(scenario.app);
      const topped = { userId: account.userId, amountCents: credits * 100, key: account.userId };
      if (credits > 0) await topUp(scenario.app.db, topped);
      return account;
    },
    remove(
      who: { userId: string; email: string },
      { password = PASSWORD, deleteTickets = noTickets, ...parts }: Removal = {},
    ) {
      const proof = { ...who, password, address: "192.0.2.1", device: null };
      const deletion = { ...proof, firstName: "Ada", deleteTickets };
      const files = openFiles({ dataDir, bucket: null });
      return deleteAccount({ ...scenario.app, ...parts, dataDir, files }, deletion, NOW);
    },
    /** Until a transaction of this database waits for another one's lock. */
    async untilSomebodyWaits() {
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      const isWaiting = async () => (await waiting.execute(scenario.app.db)).rows.length > 0;
      await vi.waitUntil(isWaiting);
    },
  };
}

/** The tables in which one of these texts occurs, each with the text. */
export async function tracesOf(db: Db, ...texts: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const { rows } = await sql`select from ${sql.table(name)} t
        where strpos(lower(t::text), lower(${text})) > 0`.execute(db);
      if (rows.length > 0) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
