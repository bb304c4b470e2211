import { utimes } from "node:fs/promises";
import path from "node:path";
import { endAllSessions } from "#app/features/accounts/sessions.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { putMailsAside } from "#app/platform/waiting-mails.server.ts";
import { listFiles } from "./manifest.ts";
import type { Place } from "./store.ts";

export interface Settled {
  mailsAside: number;
}

/** What was done since the time of the backup is not done again, and what was ended stays ended. */
export function settle({ db }: Connection): Promise<Settled> {
  return db.transaction().execute(async (tx) => {
    await endAllSessions(tx);
    return { mailsAside: await putMailsAside(tx) };
  });
}

/** What only the database from before names is swept a day from now, whatever its age. */
export async function touchUploads({ dataDir }: Place, now: Date) {
  const folder = path.join(dataDir, "uploads");
  for (const name of await listFiles(folder)) await utimes(path.join(folder, name), now, now);
}
