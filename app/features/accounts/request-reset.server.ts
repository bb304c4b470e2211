import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { issueLink, strangerId } from "./mail-links.server.ts";
import { findUser } from "./users.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}
type Requested = { ok: true } | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/**
 * Mails a link to choose a new password. The answer and the work are the same for an address
 * without an account, with a sign-up that waits, and for one that had its mails of this hour.
 */
export async function requestReset(
  { db, jobs, accounts }: Parts,
  request: { email: string; address: string },
  now: Date,
): Promise<Requested> {
  const retryAfterSeconds = await accounts.limits.count("mail", request.address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(request.email);
  await db.transaction().execute(async (tx) => {
    const user = await findUser(tx, request.email, person);
    const userId = user?.id ?? strangerId(person);
    const token = await issueLink(tx, "reset", userId, now);
    if (token) await jobs.enqueue(tx, "mail.reset-password", { userId, token });
  });
  return { ok: true };
}
