import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";

await command(async (database) => {
  const isLocal = !process.env.DATABASE_URL;
  if (!isLocal && process.env.DEMO !== "1") {
    throw new Error(
      "This would delete everything in DATABASE_URL. If that is meant: DEMO=1 npm run db:reset",
    );
  }
  await database.pool.query("drop schema if exists pgboss cascade");
  await database.pool.query("drop schema public cascade; create schema public");
  await seedDatabase(database);
  say("Everything was deleted; the demo data is in place");
});
