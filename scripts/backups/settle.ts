import { endAllSessions } from "#app/features/accounts/sessions.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { putMailsAside } from "#app/platform/waiting-mails.server.ts";

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
