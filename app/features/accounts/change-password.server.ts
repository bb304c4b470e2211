import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockAccountStatus } from "./account-status.server.ts";
import { type Accounts, findUser } from "./accounts.server.ts";
import { consumeLink, findLink, deleteLinks, issueLink, strangerId } from "./mail-links.server.ts";
import { lockPassword, setPassword } from "./passwords.server.ts";
import { endOtherSessions, type OpenedSession, rotateSession } from "./sessions.server.ts";
import { checkPassword, type PasswordChecked, type PasswordProof } from "./sign-in.server.ts";
import { resetAllFailures, networkOf, type TooMany, requesterOf } from "./throttles.server.ts";

interface PasswordDependencies {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}

interface PasswordChange extends PasswordProof {
  userId: string;
  newPassword: string;
  sessionId: string;
}

/** This session continues under a new token, all others end. */
export async function changePassword(
  { db, jobs, accounts }: PasswordDependencies,
  change: PasswordChange,
  now: Date,
): Promise<(PasswordChecked & { ok: false }) | { ok: true; session: OpenedSession | null }> {
  const checked = await checkPassword({ db, accounts }, change, now);
  if (!checked.ok) return checked;
  const person = accounts.personOf(change.email);
  const requester = requesterOf({ ...change, subject: person });
  const passwordHash = await accounts.hashPassword(change.newPassword, requester);
  return db.transaction().execute(async (tx) => {
    const { userId, sessionId } = change;
    await lockAccountStatus(tx, userId);
    // Changed or reset since it was checked: the proof no longer holds.
    const mark = await lockPassword(tx, userId);
    if (mark !== checked.passwordMark) return { ok: false, reason: "wrong-password" };
    await replacePassword(tx, jobs, { userId, person, passwordHash, sessionId }, now);
    return { ok: true, session: await rotateSession(tx, sessionId) };
  });
}

/** Same result and work for an unknown address and for one that has had all its mails. */
export async function requestReset(
  { db, jobs, accounts }: PasswordDependencies,
  request: { email: string; address: string; gameId?: string | null },
  now: Date,
): Promise<{ ok: true } | TooMany> {
  const retryAfterSeconds = await accounts.limits.count("mail", request.address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(request.email);
  await db.transaction().execute(async (tx) => {
    const user = await findUser(tx, request.email, person);
    const userId = user?.id ?? strangerId(person);
    const token = await issueLink(tx, "reset", userId, now);
    const mail = { userId, gameId: request.gameId ?? null };
    if (token)
      await jobs.enqueueEmails(tx, "reset-password", [{ ...mail, token }], { isFirst: true });
  });
  return { ok: true };
}

/** Ends all sessions. The person (Accounts.personOf), or null where the link is not valid. */
export async function resetPassword(
  { db, jobs, accounts }: PasswordDependencies,
  { token, password, address }: { token: string; password: string; address: string },
  now: Date,
): Promise<string | null> {
  // Checked first, so that a forged link costs no hash.
  const account = await findLink(db, "reset", token, now);
  if (!account) return null;
  const requester = { client: networkOf(address), account };
  const passwordHash = await accounts.hashPassword(password, requester);
  return db.transaction().execute(async (tx) => {
    const userId = await consumeLink(tx, token, now);
    if (!userId) return null;
    const { email } = await tx
      .updateTable("users")
      .set({ updated_at: now })
      .where("id", "=", userId)
      .returning("email")
      .executeTakeFirstOrThrow();
    const person = accounts.personOf(email);
    await replacePassword(tx, jobs, { userId, person, passwordHash, sessionId: null }, now);
    return person;
  });
}

interface Replacement {
  userId: string;
  person: string;
  passwordHash: string;
  sessionId: string | null;
}

async function replacePassword(
  tx: Tx,
  jobs: Jobs,
  { userId, person, passwordHash, sessionId }: Replacement,
  now: Date,
): Promise<void> {
  await setPassword(tx, userId, passwordHash, now);
  await endOtherSessions(tx, { userId, sessionId });
  await deleteLinks(tx, userId, ["reset"]);
  await resetAllFailures(tx, person);
  await jobs.enqueueEmails(tx, "password-changed", [{ userId, at: now.toISOString() }]);
}
