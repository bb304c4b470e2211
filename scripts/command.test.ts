import { expect, onTestFinished, test, vi } from "vitest";
import { applicationName } from "#app/platform/postgres/bounded-pool.server.ts";
import { useDatabase } from "#test/db.ts";
import { urlOf } from "#test/postgres.ts";
import { command } from "./command.ts";

const database = useDatabase();

/** Connections that look what the command waits for, once it has run for some seconds. */
async function countReporters() {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = $1`,
    [applicationName("session")],
  );
  return rows[0]!.n;
}

test("a command that closes its database has no connection to it any more, however long it ran", async () => {
  vi.stubEnv("DATABASE_URL", urlOf(database.connection));
  onTestFinished(() => void vi.unstubAllEnvs());
  const counts: number[] = [];
  await command(async (own) => {
    await expect.poll(countReporters, { timeout: 20_000 }).toBe(1);
    await own.close();
    // What has ended goes a moment later.
    await expect.poll(countReporters, { timeout: 5_000 }).toBe(0);
    counts.push(await countReporters());
  });
  expect(counts).toEqual([0]);
}, 60_000);
