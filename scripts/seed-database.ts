import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { storeDefaults } from "../db/defaults.ts";
import { seedDemoData } from "../db/seed.ts";

/** Migrates, then fills an empty database with the demo data; returns whether it was empty. */
export async function seedDatabase({ db, pool }: Connection): Promise<boolean> {
  const env = readEnv({ ...process.env, DEMO: "1" });
  await migrate(pool);
  const jobs = await openJobs(pool, env.sessionSecret);
  try {
    await storeDefaults(db, env);
    const accounts = createAccounts({ env, db, pool });
    return await seedDemoData({ pool, jobs, accounts, now: new Date() });
  } finally {
    await jobs.stop();
  }
}
