import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";
import { announceTarget } from "./target.ts";

await command(async (database) => {
  if (process.env.DEMO === "0") {
    throw new Error("This would plant demo accounts, whose password everybody knows. DEMO is 0.");
  }
  await announceTarget(database);
  const isSeeded = await seedDatabase(database);
  say(isSeeded ? "The demo data is in place" : "There are accounts already; nothing was changed");
});
