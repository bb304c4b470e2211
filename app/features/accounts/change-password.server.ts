import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import {
  checkPassword,
  type PasswordChecked,
  type PasswordProof,
} from "./check-password.server.ts";
import { lockStanding } from "./lock-standing.server.ts";
import { forgetLinks } from "./mail-links.server.ts";
import { endOtherSessions } from "./session-list.server.ts";
import { type OpenedSession, renameSession } from "./sessions.server.ts";
import { forgetAllFailures, turnOf } from "./sign-in-attempts.server.ts";
import { lockPassword, setPassword, sendPasswordChanged } from "./users.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}

interface Change extends PasswordProof {
  userId: string;
  /** Checked already: a password that sign-up would take. */
  newPassword: string;
  /** The session that goes on; all others of the account end. */
  sessionId: string;
}

type PasswordChanged =
  | (PasswordChecked & { ok: false })
  /** The session under its new token; null where it has ended meanwhile. */
  | { ok: true; session: OpenedSession | null };

/**
 * Sets a new password for who knows the current one and tells the owner by mail. This session goes
 * on under a new token, all others end.
 */
export async function changePassword(
  { db, jobs, accounts }: Parts,
  change: Change,
  now: Date,
): Promise<PasswordChanged> {
  const checked = await checkPassword({ db, accounts }, change, now);
  if (!checked.ok) return checked;
  const person = accounts.personOf(change.email);
  const turn = turnOf({ ...change, email: person });
  const newHash = await accounts.hashPassword(change.newPassword, turn);
  return db.transaction().execute(async (tx) => {
    const { userId, sessionId } = change;
    await lockStanding(tx, userId);
    // Changed or reset since it was checked: what was proved does not hold any more.
    const isCurrent = (await lockPassword(tx, userId)) === checked.passwordMark;
    if (!isCurrent) return { ok: false, reason: "wrong-password" };
    await setPassword(tx, userId, newHash, now);
    await endOtherSessions(tx, { userId, sessionId });
    await forgetLinks(tx, userId, ["reset"]);
    await forgetAllFailures(tx, person);
    await sendPasswordChanged(tx, jobs, userId, now);
    return { ok: true, session: await renameSession(tx, sessionId) };
  });
}
