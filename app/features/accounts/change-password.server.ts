import type { Db, Tx } from "../../platform/db.server.ts";
import type { Accounts } from "./accounts.server.ts";
import {
  checkPassword,
  type PasswordChecked,
  type PasswordProof,
} from "./check-password.server.ts";
import { forgetLinks } from "./mail-links.server.ts";
import { forgetAllFailures, turnOf } from "./sign-in-attempts.server.ts";
import { hashToken } from "./tokens.server.ts";
import { lockPassword, setPassword } from "./users.server.ts";

interface Parts {
  db: Db;
  accounts: Accounts;
}

interface Change extends PasswordProof {
  userId: string;
  /** Checked already: a password that sign-up would take. */
  newPassword: string;
  /** The session that goes on; all others of the account end. */
  token: string;
}

/** Sets a new password for who knows the current one, and ends all other sessions. */
export async function changePassword(
  { db, accounts }: Parts,
  change: Change,
  now: Date,
): Promise<PasswordChecked> {
  const checked = await checkPassword({ db, accounts }, change, now);
  if (!checked.ok) return checked;
  const newHash = await accounts.hashPassword(change.newPassword, turnOf(change));
  return db.transaction().execute(async (tx) => {
    const { userId, email, token } = change;
    // Changed or reset since it was checked: what was proved does not hold any more.
    const isCurrent = (await lockPassword(tx, userId)) === checked.passwordHash;
    if (!isCurrent) return { ok: false, reason: "wrong-password" };
    await setPassword(tx, userId, newHash, now);
    await endOtherSessions(tx, userId, token);
    await forgetLinks(tx, userId, ["reset"]);
    await forgetAllFailures(tx, email);
    return checked;
  });
}

async function endOtherSessions(tx: Tx, userId: string, token: string): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("token", "!=", hashToken(token))
    .execute();
}
