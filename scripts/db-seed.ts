import { readEnv } from "#app/platform/env.server.ts";
import { readOptions } from "./arguments.ts";
import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";
import { announceTarget } from "./target.ts";

const PUBLIC = "This would plant demo accounts, whose password everybody knows.";

readOptions("npm run db:seed", {});

await command(
  async (database) => {
    const { DEMO, DATABASE_URL } = process.env;
    if (DEMO === "0") throw new Error(`${PUBLIC} DEMO is 0.`);
    if (!DEMO && DATABASE_URL && isConfigured()) {
      throw new Error(`${PUBLIC} If that is meant: DEMO=1 npm run db:seed`);
    }
    await announceTarget(database);
    const isSeeded = await seedDatabase(database);
    say(isSeeded ? "The demo data is in place" : "There are accounts already; nothing was changed");
  },
  { mayCreate: true },
);

/** All that a site needs is set: its database is none to try things on. */
function isConfigured(): boolean {
  try {
    return Boolean(readEnv());
  } catch {
    return false;
  }
}
