import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/** What docs/operations.md gives PostgreSQL, "To a point in time", with this folder as the other machine's. */
export function archiveCommands(folder: string) {
  const page = readFileSync(path.join(projectRoot, "docs", "operations.md"), "utf8");
  const find = (name: string) => {
    const [, command] = new RegExp(`${name}_command = '(.*)'`).exec(page)!;
    return command!.replace("mountpoint -q", "test -d").replaceAll("/var/backups/postgres", folder);
  };
  return { archive: find("archive"), restore: find("restore") };
}
