import path from "node:path";
import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { misused, readOptions } from "./arguments.ts";
import { countRows } from "./backups/counts.ts";
import { takeBackup } from "./backups/take-backup.ts";
import { command, QUIET, say } from "./command.ts";

const NO_SECRET =
  "The backup has no .env with SESSION_SECRET: keep the configuration elsewhere, that first";

const USAGE = "npm run backup -- [FOLDER] [--keep N] [--quiet]";
const options = { ...QUIET, keep: { type: "string" } } as const;
const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
if (positionals.length > 1 || positionals[0] === "") misused(USAGE);

await command(async (database) => {
  const place = readDatabaseEnv();
  const folder = path.resolve(positionals[0] ?? path.join(place.dataDir, "backups"));
  const keepDays = readKeep(values.keep);
  const began = performance.now();
  const { backup, manifest, hasSessionSecret } = await takeBackup(place, database, {
    folder,
    keepDays,
    now: new Date(),
  });
  // The demo makes a secret of its own. A container has its configuration elsewhere: once is enough.
  const isDemo = process.env.DEMO ? process.env.DEMO === "1" : !place.databaseUrl;
  const isExpected = values.quiet && Boolean(process.env.SESSION_SECRET);
  if (!hasSessionSecret && !isDemo && !isExpected) process.stderr.write(`${NO_SECRET}\n`);
  if (values.quiet) return;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  say(
    `${backup}: ${countRows(manifest.figures)} rows, ${manifest.uploads.files} files, took ${seconds} s`,
  );
});

function readKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new Error("--keep is how many days to keep backups, such as 90");
  return Number(text);
}
