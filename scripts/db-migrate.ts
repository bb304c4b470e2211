import { installJobs } from "#app/jobs.server.ts";
import { upgradeDatabase } from "#app/platform/upgrade/upgrade.server.ts";
import { readOptions } from "./arguments.ts";
import { command, say, warn } from "./command.ts";

const { values } = readOptions("npm run db:migrate -- [--without STEP]", {
  options: { without: { type: "string", multiple: true } },
});

await command(
  async ({ pool }) => {
    const { applied, open } = await upgradeDatabase(pool, values);
    for (const { id, text } of open) warn(`To do for this upgrade, ${id}: ${text}`);
    await installJobs(pool);
    say(applied.length > 0 ? `Applied ${applied.join(", ")}` : "Nothing to apply");
  },
  { mayCreate: true },
);
