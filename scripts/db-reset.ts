import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { findMark, setMark } from "#app/platform/upload-owner.server.ts";
import { readOptions } from "./arguments.ts";
import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";
import { announceTarget } from "./target.ts";

readOptions("npm run db:reset", {});

await command(
  async (database) => {
    if (process.env.DEMO === "0") throw new Error("This would delete a site: DEMO is 0.");
    if (readDatabaseEnv().databaseUrl && process.env.DEMO !== "1") {
      throw new Error(
        "This would delete everything in DATABASE_URL. If that is meant: DEMO=1 npm run db:reset",
      );
    }
    await announceTarget(database);
    const mark = await findMark(database.db);
    await database.pool.query("drop schema if exists pgboss cascade");
    await database.pool.query("drop schema public cascade; create schema public");
    await seedDatabase(database);
    if (mark) await setMark(database.db, mark);
    say("Everything was deleted; the demo data is in place");
  },
  { mayCreate: true },
);
