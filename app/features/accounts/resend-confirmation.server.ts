import type { Db, Tx } from "../../platform/db.server.ts";
import type { Jobs } from "../../platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { issueLink, strangerId } from "./mail-links.server.ts";
import { sendConfirmation } from "./send-confirmation.server.ts";
import { findUser } from "./users.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}
type Resent = { ok: true } | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/**
 * What is done when somebody asks for the link again. The answer is the same for every address,
 * and only a client address that asks too often is refused.
 */
export async function resendConfirmation(
  { db, jobs, accounts }: Parts,
  request: { email: string; address: string },
  now: Date,
): Promise<Resent> {
  const retryAfterSeconds = await accounts.limits.count("mail", request.address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  await db.transaction().execute((tx) => sendToAddress(tx, jobs, request.email, now));
  return { ok: true };
}

/**
 * Sends to an address what its account needs, on the caller's transaction: the confirmation link,
 * or, where the account is confirmed, how to sign in. False when nothing may be sent now.
 */
export async function sendToAddress(
  tx: Tx,
  jobs: Jobs,
  email: string,
  now: Date,
): Promise<boolean> {
  const user = await findUser(tx, email);
  if (!user?.confirmed) return sendConfirmation(tx, jobs, user?.id ?? strangerId(email), now);
  const counted = await issueLink(tx, "exists", user.id, now);
  if (counted) await jobs.enqueue(tx, "mail.account-exists", { userId: user.id });
  return counted !== null;
}
