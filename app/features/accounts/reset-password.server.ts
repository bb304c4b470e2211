import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { networkOf } from "./address-limits.server.ts";
import { consumeLink, findLink, forgetLinks } from "./mail-links.server.ts";
import { forgetAllFailures } from "./sign-in-attempts.server.ts";
import { setPassword, sendPasswordChanged } from "./users.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}

/**
 * Sets a new password by a link from a mail, ends all sessions of the account and tells its owner
 * by mail. Answers who it is (Accounts.personOf); null when the link is unknown, used or expired.
 */
export async function resetPassword(
  { db, jobs, accounts }: Parts,
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
    if (!userId) return null;
    await sendPasswordChanged(tx, jobs, userId, now);
    const email = await replacePassword(tx, userId, passwordHash, now);
    const person = accounts.personOf(email);
    await forgetAllFailures(tx, person);
    return person;
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
    .set({ updated_at: now })
    .where("id", "=", userId)
    .returning("email")
    .executeTakeFirstOrThrow();
  await setPassword(tx, userId, passwordHash, now);
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await forgetLinks(tx, userId, ["reset"]);
  return user.email;
}
