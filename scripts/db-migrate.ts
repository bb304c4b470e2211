import { installJobs } from "#app/jobs.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { readOptions } from "./arguments.ts";
import { command, say } from "./command.ts";

readOptions("npm run db:migrate", {});

await command(
  async ({ pool }) => {
    const applied = await migrate(pool);
    await installJobs(pool);
    say(applied.length > 0 ? `Applied ${applied.join(", ")}` : "Nothing to apply");
  },
  { mayCreate: true },
);
