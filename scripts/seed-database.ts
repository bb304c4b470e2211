import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { upgradeDatabase } from "#app/platform/upgrade/upgrade.server.ts";
import { storeDefaults } from "../db/defaults.ts";
import { seedDemoData } from "../db/seed.ts";

/** Migrates and fills a database with the demo data; one with accounts is left as it is: false. */
export async function seedDatabase({ db, pool }: Connection): Promise<boolean> {
  if (await hasAccounts(pool)) return false;
  const env = readEnv({ ...process.env, DEMO: "1" });
  await upgradeDatabase(pool);
  const jobs = await openJobs(pool, env.sessionSecret);
  try {
    await storeDefaults(db, env);
    const accounts = createAccounts({ env, db, pool });
    return await seedDemoData({ pool, jobs, accounts, now: new Date() });
  } finally {
    await jobs.stop();
  }
}

async function hasAccounts(pool: Connection["pool"]): Promise<boolean> {
  const isThere = await pool.query("select where to_regclass('public.users') is not null");
  return isThere.rowCount === 1 && (await pool.query("select from users limit 1")).rowCount === 1;
}
