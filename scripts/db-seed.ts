import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";

await command(async (database) => {
  const isDemo = process.env.DEMO === "1" || (!process.env.DATABASE_URL && !process.env.DEMO);
  if (!isDemo) {
    throw new Error(
      "This would plant demo accounts, whose password everybody knows. " +
        "If that is meant: DEMO=1 npm run db:seed",
    );
  }
  const isSeeded = await seedDatabase(database);
  say(isSeeded ? "The demo world stands" : "There are accounts already; nothing was changed");
});
