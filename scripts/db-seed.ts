import { command, say } from "./command.ts";
import { seedDatabase } from "./seed-database.ts";

await command(async (database) => {
  const isSeeded = await seedDatabase(database);
  say(isSeeded ? "The demo world stands" : "There are accounts already; nothing was changed");
});
