import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { issueLink, strangerId } from "./mail-links.server.ts";
import { sendConfirmation } from "./send-confirmation.server.ts";
import { chooseSignUp, lockPerson, type SignUpChoice } from "./sign-ups.server.ts";
import { findUser } from "./users.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}

interface Request extends Partial<Omit<SignUpChoice, "person">> {
  email: string;
  /** The client's network address. */
  address: string;
}

type Resent = { ok: true } | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/**
 * Sends what an address needs: the link of its sign-up (the one named, else this browser's newest,
 * else the newest), or, where it has an account, how to sign in. The result is the same for every
 * address; only a client address that asks too often gets an error.
 */
export async function resendConfirmation(
  { db, jobs, accounts }: Parts,
  { email, address, browserHash = null, preferredId }: Request,
  now: Date,
): Promise<Resent> {
  const retryAfterSeconds = await accounts.limits.count("mail", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(email);
  await db.transaction().execute(async (tx) => {
    await lockPerson(tx, person);
    const user = await findUser(tx, email, person);
    if (user) return sendAccountExists(tx, jobs, user.id, now);
    const signUp = await chooseSignUp(tx, { person, browserHash, preferredId }, now);
    // For nobody the same work, with a count of its own: it keeps no owner's mail waiting.
    const [signUpId, mailbox] = signUp
      ? [signUp.id, person]
      : [strangerId(email), `nobody:${person}`];
    await sendConfirmation(tx, jobs, { signUpId, mailbox }, now);
  });
  return { ok: true };
}

/** Tells the owner of an account how to sign in, unless they had as many such mails this hour. */
export async function sendAccountExists(
  tx: Tx,
  jobs: Jobs,
  userId: string,
  now: Date,
): Promise<void> {
  const counted = await issueLink(tx, "exists", userId, now);
  if (counted) await jobs.enqueue(tx, "mail.account-exists", { userId });
}
