import path from "node:path";
import { parseArgs } from "node:util";
import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { countRows } from "./backups/figures.ts";
import { takeBackup } from "./backups/take-backup.ts";
import { command, QUIET, say } from "./command.ts";

await command(async (database) => {
  const options = { ...QUIET, keep: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const place = readDatabaseEnv();
  const folder = path.resolve(positionals[0] ?? path.join(place.dataDir, "backups"));
  const keepDays = readKeep(values.keep);
  const began = performance.now();
  const { backup, manifest, hasSecrets } = await takeBackup(place, database, {
    folder,
    keepDays,
    now: new Date(),
  });
  if (values.quiet) return;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  say(
    `${backup}: ${countRows(manifest.figures)} rows, ${manifest.uploads.files} files, took ${seconds} s`,
  );
  if (!hasSecrets)
    say("Without .env or secrets.json: keep the configuration elsewhere, SESSION_SECRET first");
});

function readKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new Error("--keep is how many days to keep backups, such as 90");
  return Number(text);
}
