import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { checkPassword, type PasswordChecked, type PasswordProof } from "./sign-in.server.ts";
import { lockStanding } from "./account-status.server.ts";
import { forgetLinks, issueLink, strangerId, consumeLink, findLink } from "./mail-links.server.ts";
import { endOtherSessions, type OpenedSession, renameSession } from "./sessions.server.ts";
import { forgetAllFailures, turnOf, networkOf } from "./throttles.server.ts";
import { lockPassword, setPassword, sendPasswordChanged, findUser } from "./users.server.ts";

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
