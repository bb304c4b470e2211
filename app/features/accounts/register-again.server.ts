import type { Tx } from "../../platform/db.server.ts";
import type { Jobs } from "../../platform/jobs.server.ts";
import type { NewAccount } from "./register-account.server.ts";
import { sendToAddress } from "./resend-confirmation.server.ts";
import { sendConfirmation } from "./send-confirmation.server.ts";
import { setPassword } from "./users.server.ts";

interface RegisteredAgain {
  isSent: boolean;
  /** The unconfirmed user whose name and password this sign-up replaced, else null. */
  replacedId: string | null;
}

/**
 * The sign-up of a known address, on the caller's transaction. While the address is unconfirmed
 * nobody knows whose it is, so that the newest sign-up stands and only its link works: whoever
 * came first must not choose the owner's password. A confirmed account is not touched. When no
 * mail may be sent now, nothing changes.
 */
export async function registerAgain(
  tx: Tx,
  jobs: Jobs,
  { email, name, passwordHash }: NewAccount,
  now: Date,
): Promise<RegisteredAgain> {
  const user = await lockUser(tx, email);
  if (!user || user.email_verified) {
    return { isSent: await sendToAddress(tx, jobs, email, now), replacedId: null };
  }
  const isSent = await sendConfirmation(tx, jobs, user.id, now, { isOnlyLink: true });
  if (!isSent) return { isSent, replacedId: null };
  await replaceAccount(tx, user.id, { name, passwordHash }, now);
  return { isSent, replacedId: user.id };
}

// Against the use of an earlier link: whichever comes second sees what the first has done.
async function lockUser(tx: Tx, email: string) {
  return tx
    .selectFrom("users")
    .select(["id", "email_verified"])
    .where("email", "=", email)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function replaceAccount(
  tx: Tx,
  userId: string,
  { name, passwordHash }: Pick<NewAccount, "name" | "passwordHash">,
  now: Date,
) {
  await tx.updateTable("users").set({ name, updated_at: now }).where("id", "=", userId).execute();
  await setPassword(tx, userId, passwordHash, now);
}
