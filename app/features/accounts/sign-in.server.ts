import type { Db } from "#app/platform/db.server.ts";
import { BusyError, type Turn } from "#app/platform/turns.server.ts";
import type { Accounts } from "./accounts.server.ts";
import type { SignInInput } from "./input.ts";
import type { OpenedSession } from "./sessions.server.ts";
import { forgetFailures, type Guesser, lineOf, admitGuess, turnOf } from "./throttles.server.ts";
import { chooseSignUp } from "./sign-ups.server.ts";
import { findTwoFactor, consumeCode } from "./two-factor.server.ts";
import { findUser, lockPassword, replaceHash, passwordMark } from "./users.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

interface Parts {
  db: Db;
  accounts: Accounts;
}

interface Attempt extends SignInInput {
  device: Guesser["device"];
  /** Of the browser's sign-up cookie: tells which of an address's sign-ups is its own. */
  browserHash?: string | null;
  /** The client's network address. */
  address: string;
  /** The User-Agent header, which the list of one's devices names. */
  userAgent?: string | null;
}

export type SignedIn =
  | { ok: true; session: OpenedSession }
  /** The password was right; a code is owed, see second-step.server.ts. */
  | { ok: false; reason: "second-factor"; step: SecondStep }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  | { ok: false; reason: "wrong-credentials" | "suspended" }
  /** Which of the sign-ups of the address the password belongs to. */
  | { ok: false; reason: "not-confirmed"; signUpId: string };

/**
 * Signs in with a password. An unknown address is answered like a wrong password, after the same
 * work: one password is verified each time, that of the account, else of one sign-up that waits.
 * Whether an account is suspended or waits for its confirmation is told only to who knows the
 * password.
 */
export async function signIn(
  { db, accounts }: Parts,
  { email, password, address, device, browserHash = null, userAgent = null }: Attempt,
  now: Date,
): Promise<SignedIn> {
  const person = accounts.personOf(email);
  const guesser = { email: person, device };
  const turn = turnOf({ ...guesser, address });
  // In turn, so that right passwords sent at once do not count against one another.
  return accounts.inTurn(lineOf(guesser), async () => {
    const wait = await admitGuess({ db, accounts }, { ...guesser, address }, now);
    if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
    const user = await findUser(db, email, person);
    // Asked for in any case, so that its time tells nothing.
    const signUp = await chooseSignUp(db, { person, browserHash }, now);
    const known = user ?? signUp;
    const isRight = await accounts.verifyPassword(known?.passwordHash ?? null, password, turn);
    if (!known || !isRight) return { ok: false, reason: "wrong-credentials" };
    await forgetFailures(db, guesser);
    if (!user) return { ok: false, reason: "not-confirmed", signUpId: known.id };
    if (user.isSuspended) return { ok: false, reason: "suspended" };
    const { passwordMark } = user;
    await upgradeHash({ db, accounts }, { ...user, password, turn });
    if (await findTwoFactor(db, user.id)) {
      return { ok: false, reason: "second-factor", step: { userId: user.id, passwordMark } };
    }
    const session = await accounts.openSession(user.id, { now, userAgent });
    if ((await lockPassword(db, user.id)) === passwordMark) return { ok: true, session };
    // The password was replaced since it was checked, which ended all sessions but this one.
    await accounts.closeSession(session.token);
    return { ok: false, reason: "wrong-credentials" };
  });
}

interface Upgrade {
  id: string;
  passwordHash: string | null;
  password: string;
  turn: Turn;
}

/** A hash that was made by former advice is made again, if there is time. */
async function upgradeHash({ db, accounts }: Parts, { id, passwordHash, password, turn }: Upgrade) {
  if (!passwordHash || !accounts.isOutdatedHash(passwordHash)) return;
  try {
    const newHash = await accounts.hashPassword(password, turn);
    await replaceHash(db, id, passwordHash, newHash);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
  }
}

/** What somebody who is signed in sends to prove that it is still them. */
export interface PasswordProof {
  email: string;
  device: Guesser["device"];
  password: string;
  /** The client's network address. */
  address: string;
}

export type PasswordChecked =
  /** Which password it was (FoundUser). */
  | { ok: true; passwordMark: string | null }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  | { ok: false; reason: "wrong-password" };

/**
 * Asks for the password again before a deed that a borrowed session must not do. Guesses count and
 * slow down like those at sign-in, together with them.
 */
export async function checkPassword(
  { db, accounts }: { db: Db; accounts: Accounts },
  { email, device, password, address }: PasswordProof,
  now: Date,
): Promise<PasswordChecked> {
  const guesser = { email: accounts.personOf(email), device };
  return accounts.inTurn(lineOf(guesser), async () => {
    const wait = await admitGuess({ db, accounts }, { ...guesser, address }, now);
    if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
    const user = await findUser(db, email, guesser.email);
    const turn = turnOf({ ...guesser, address });
    const isRight = await accounts.verifyPassword(user?.passwordHash ?? null, password, turn);
    if (!user || !isRight) return { ok: false, reason: "wrong-password" };
    await forgetFailures(db, guesser);
    return { ok: true, passwordMark: user.passwordMark };
  });
}

interface CodeParts {
  db: Db;
  env: Pick<Env, "sessionSecret">;
  jobs: Jobs;
  accounts: Accounts;
}

/** Who has given the right password and owes the code; bound to that very password (FoundUser). */
export interface SecondStep {
  userId: string;
  passwordMark: string | null;
}

/** The account of a step or of a session, or null once its password has changed or it is closed. */
export async function findStepAccount(
  db: Db,
  { userId, passwordMark: mark }: Pick<SecondStep, "userId"> & Partial<SecondStep>,
): Promise<StepAccount | null> {
  const account = await db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.user_id", "users.id")
    .select(["users.id as userId", "users.email", passwordMark])
    .where("users.id", "=", userId)
    .where("suspended_at", "is", null)
    .where("email_verified", "=", true)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  const isSame = mark === undefined || mark === account?.passwordMark;
  return (isSame && account) || null;
}

export interface StepAccount extends SecondStep {
  email: string;
}

/** Who types a code for which account. */
interface CodeGuess {
  userId: string;
  code: string;
  /** A browser that has signed in to this account before; null for everybody else together. */
  device: string | null;
  /** The client's network address. */
  address: string;
}

type CodeChecked =
  | { ok: true }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  | { ok: false; reason: "wrong-code" };

/** Uses up a code. Wrong ones are slowed down like wrong passwords, in all processes together. */
export async function checkCode(
  { db, env, jobs, accounts }: CodeParts,
  { userId, code, device, address }: CodeGuess,
  now: Date,
): Promise<CodeChecked> {
  const guesser = { email: codesOf(userId), device };
  const wait = await admitGuess({ db, accounts }, { ...guesser, address }, now);
  if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
  const isRight = await consumeCode({ db, env, jobs }, { userId, code }, now);
  if (!isRight) return { ok: false, reason: "wrong-code" };
  await forgetFailures(db, guesser);
  return { ok: true };
}

type SecondStepPassed =
  | { ok: true; session: OpenedSession }
  | { ok: false; reason: "over" }
  | (CodeChecked & { ok: false });

/** Opens the session that the code was owed for; "over" where the password changed meanwhile. */
export async function passSecondStep(
  parts: CodeParts,
  { account, userAgent, ...guess }: Passing,
  now: Date,
): Promise<SecondStepPassed> {
  const { db, accounts } = parts;
  const { userId, passwordMark } = account;
  const checked = await checkCode(parts, { ...guess, userId }, now);
  if (!checked.ok) return checked;
  const session = await accounts.openSession(userId, { now, userAgent, passedSecondFactor: true });
  if ((await lockPassword(db, userId)) === passwordMark) return { ok: true, session };
  await accounts.closeSession(session.token);
  return { ok: false, reason: "over" };
}

interface Passing extends Omit<CodeGuess, "userId"> {
  account: SecondStep;
  userAgent: string | null;
}

/** Under which name the wrong codes of an account are counted. */
export function codesOf(userId: string): string {
  return `totp:${userId}`;
}
