import { setTimeout as delay } from "node:timers/promises";
import { type Server, startApp } from "./app-under-test.ts";
import type { Scenario } from "./scenario.ts";
import { printTable } from "./table.ts";

const PROCESSES = 8;
const SECONDS = 30;

/** What processes ask of the database while nobody asks anything of them. */
export async function benchIdle(_: Server, scenario: Scenario): Promise<void> {
  const one = await transactionsPerSecond(scenario);
  const others: Server[] = [];
  while (others.length < PROCESSES - 1) others.push(await startApp(scenario.dataDir));
  const all = await transactionsPerSecond(scenario);
  await Promise.all(others.map((other) => other.stop()));
  printTable(`Idle for ${SECONDS} s`, [
    { "on the database": "transactions/s", "one process": one, eight: all, "to reach": "< 10" },
  ]);
}

async function transactionsPerSecond({ pool }: Scenario): Promise<number> {
  // What starting up still has to do is over by then.
  await delay(10_000);
  const before = await countTransactions(pool);
  await delay(SECONDS * 1_000);
  return ((await countTransactions(pool)) - before) / SECONDS;
}

async function countTransactions(pool: Scenario["pool"]): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database
     where datname = current_database()`,
  );
  return Number(rows[0]!.count);
}
