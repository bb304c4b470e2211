import type { Db, Tx } from "../../platform/db.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { networkOf } from "./address-limits.server.ts";
import { consumeLink, findLink, forgetLinks } from "./mail-links.server.ts";
import { forgetAllFailures } from "./sign-in-attempts.server.ts";
import { setPassword } from "./users.server.ts";

interface Parts {
  db: Db;
  accounts: Accounts;
}

/**
 * Sets a new password by a link from a mail and ends all sessions of the account. The link also
 * proves the address, which is the answer; null when the link is unknown, used or expired.
 */
export async function resetPassword(
  { db, accounts }: Parts,
  { token, password, address }: { token: string; password: string; address: string },
  now: Date,
): Promise<string | null> {
  // Asked first, so that made-up links cost no hash.
  const account = await findLink(db, "reset", token, now);
  if (!account) return null;
  const turn = { client: networkOf(address), account };
  const passwordHash = await accounts.hashPassword(password, turn);
  return db.transaction().execute(async (tx) => {
    const userId = await consumeLink(tx, "reset", token, now);
    return userId ? replacePassword(tx, userId, passwordHash, now) : null;
  });
}

async function replacePassword(
  tx: Tx,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const user = await tx
    .updateTable("users")
    .set({ email_verified: true, updated_at: now })
    .where("id", "=", userId)
    .returning("email")
    .executeTakeFirstOrThrow();
  await setPassword(tx, userId, passwordHash, now);
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await forgetLinks(tx, userId, ["confirm", "reset"]);
  await forgetAllFailures(tx, user.email);
  return user.email;
}
