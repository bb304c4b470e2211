import { installJobs } from "#app/jobs.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { command, say } from "./command.ts";

await command(async ({ pool }) => {
  const applied = await migrate(pool);
  await installJobs(pool);
  say(applied.length > 0 ? `Applied ${applied.join(", ")}` : "Nothing to apply");
});
