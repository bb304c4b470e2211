import path from "node:path";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { listFailedMails, sendFailedMail } from "#app/features/players/failed-mails.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { readDatabaseEnv } from "#app/platform/env.server.ts";
import { PUT_ASIDE } from "#app/platform/waiting-mails.server.ts";
import { misused, readOptions } from "./arguments.ts";
import { findBackup } from "./backups/manifest.ts";
import { rehearseRestore, restoreBackup } from "./backups/restore-backup.ts";
import { describeOtherSecret } from "./backups/session-secret.ts";
import { countAccounts, settle, type Settled, touchUploads } from "./backups/after-restore.ts";
import { command, QUIET, say, warn } from "./command.ts";
import { announceTarget } from "./target.ts";

const OPTIONS = {
  ...QUIET,
  rehearse: { type: "boolean" },
  replace: { type: "string" },
  recovered: { type: "boolean" },
  "send-mails": { type: "boolean" },
} as const;

const USAGE =
  "npm run restore -- BACKUP [--replace DATABASE] | BACKUP --rehearse [--quiet] | --recovered | --send-mails";

const FORMS: Record<string, (database: Connection, given: Given) => Promise<boolean | void>> = {
  BACKUP: restore,
  "BACKUP replace": restore,
  "BACKUP rehearse": rehearse,
  "BACKUP quiet rehearse": rehearse,
  recovered: completeRecovered,
  "send-mails": sendMails,
};

interface Given {
  folder: string;
  replace?: string | undefined;
  quiet: boolean;
}

const KEPT =
  "Passwords, second factors, roles, suspensions and secret addresses are as they were just before";
const BACK =
  "Passwords, second factors, roles, suspensions and secret addresses are as they were then: " +
  "what was changed or ended since is valid again. docs/runbook.md, 12, says what to do first";

const { values, positionals, tokens } = readOptions(USAGE, {
  options: OPTIONS,
  allowPositionals: true,
  tokens: true,
});
const options = tokens.flatMap((token) => (token.kind === "option" ? token.name : []));
const form = [...positionals.map((folder) => folder && "BACKUP"), ...options.sort()].join(" ");
const run = FORMS[form] ?? misused(USAGE);
const [folder = ""] = positionals;

const given = { ...values, folder: path.resolve(folder) };
await command((database) => run(database, given), { mayCreate: true });

async function rehearse(database: Connection, { folder, quiet }: Given) {
  const backup = await findBackup(folder);
  const began = performance.now();
  const { rows, differences, mailsAside } = await rehearseRestore(
    readDatabaseEnv(),
    database,
    backup,
  );
  if (!areBooksRight(differences)) return false;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const found = `${rows} rows, books right, emails put aside: ${mailsAside}`;
  if (!quiet) say(`${backup} restores: ${found}, took ${seconds} s`);
}

async function restore(database: Connection, { folder, replace }: Given) {
  const backup = await findBackup(folder);
  if (backup !== folder) throw new Error(`Which backup? The newest is ${backup}`);
  await announceTarget(database);
  const place = readDatabaseEnv();
  const otherSecret = await describeOtherSecret({
    backup,
    dataDir: place.dataDir,
    given: process.env.SESSION_SECRET,
    isAccessKept: (await countAccounts(database.pool)) > 0,
  });
  if (otherSecret) warn(otherSecret);
  const options = { backup, replace, now: new Date() };
  const restored = await restoreBackup(place, database, options);
  const { former } = restored;
  say(`Restored ${restored.rows} rows and the files of ${backup}`);
  if (former) say(`What was there before is kept as ${former}: drop it when all is well`);
  saySettled(restored);
  const { undeleted } = restored;
  if (undeleted.length > 0) say(`Deleted since the backup, and back: ${undeleted.join(", ")}`);
  return areBooksRight(restored.differences);
}

/** For a database that was recovered by other means, such as to a point in time. */
async function completeRecovered(database: Connection) {
  saySettled(await settle(database, null));
  await touchUploads(readDatabaseEnv(), new Date());
  const { differences } = await checkBooks(database.db);
  return areBooksRight(differences);
}

function saySettled({ mailsAside, isAccessKept }: Settled) {
  say("Everybody signs in again");
  say(isAccessKept ? KEPT : BACK);
  const emails =
    mailsAside === 1 ? "1 email that waited then is" : `${mailsAside} emails that waited then are`;
  const how = "send one at /admin/inbox/mail, or all by npm run restore -- --send-mails";
  if (mailsAside > 0) say(`${emails} put aside, having gone out since: ${how}`);
  say("Next, once it runs: npm run stripe:reconcile -- --days 30");
}

function areBooksRight(differences: string[]): boolean {
  for (const line of differences) say(line);
  return differences.length === 0;
}

/** Emails whose links have expired stay. */
async function sendMails({ db, pool }: Connection) {
  const now = new Date();
  const jobs = await openJobs(pool, "of no job with a token");
  try {
    const mails = await listFailedMails(db, { now, limit: 100_000 });
    let sent = 0;
    for (const { id } of mails.filter(({ error }) => error === PUT_ASIDE)) {
      const result = await sendFailedMail(db, jobs, { id, actor: "command", now });
      if (result.ok) sent += 1;
    }
    say(`${sent} emails are sent`);
  } finally {
    await jobs.stop();
  }
}
