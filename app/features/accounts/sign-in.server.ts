import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { BusyError, type Requester } from "#app/platform/fair-queue.server.ts";
import { type Accounts, findUser } from "./accounts.server.ts";
import { lockPassword, passwordMark, replaceHash, withoutSpaceAround } from "./passwords.server.ts";
import type { NewSession, OpenedSession } from "./sessions.server.ts";
import { chooseSignUp } from "./sign-ups.server.ts";
import {
  countGuess,
  codesOf,
  resetFailures,
  type Guesser,
  guessPassword,
  type TooMany,
  requesterOf,
} from "./throttles.server.ts";
import { consumeCode, findTwoFactor } from "./two-factor.server.ts";

interface SignInDependencies {
  db: Db;
  accounts: Accounts;
}

export interface PasswordProof {
  email: string;
  device: Guesser["device"];
  password: string;
  address: string;
}

interface Attempt extends PasswordProof {
  browserHash?: string | null;
  userAgent?: string | null;
}

export type SignedIn =
  | { ok: true; session: OpenedSession }
  | { ok: false; reason: "second-factor"; step: SecondStep }
  | TooMany
  | { ok: false; reason: "wrong-credentials" | "suspended" }
  | { ok: false; reason: "not-confirmed"; signUpId: string };

/** Same result and work for an unknown address. Only the right password reveals an account's state. */
export async function signIn(
  { db, accounts }: SignInDependencies,
  { email, password, address, device, browserHash = null, userAgent = null }: Attempt,
  now: Date,
): Promise<SignedIn> {
  const person = accounts.personOf(email);
  const guess = { subject: person, device, address };
  return guessPassword({ db, accounts }, { ...guess, password }, now, async (isRight) => {
    const user = await findUser(db, email, person);
    // Read in any case, so that timing reveals nothing.
    const signUp = await chooseSignUp(db, { person, browserHash }, now);
    const known = user ?? signUp;
    if (!(await isRight(known?.passwordHash ?? null)) || !known) {
      return { ok: false, reason: "wrong-credentials" };
    }
    if (!user) return { ok: false, reason: "not-confirmed", signUpId: known.id };
    if (user.isSuspended) return { ok: false, reason: "suspended" };
    const kept = withoutSpaceAround(password);
    await upgradeHash({ db, accounts }, { ...user, password: kept, requester: requesterOf(guess) });
    const step = { userId: user.id, passwordMark: user.passwordMark };
    if (await findTwoFactor(db, user.id)) return { ok: false, reason: "second-factor", step };
    const session = await openSessionOf({ db, accounts }, step, { now, userAgent });
    return session ? { ok: true, session } : { ok: false, reason: "wrong-credentials" };
  });
}

export type PasswordChecked =
  | { ok: true; passwordMark: string | null }
  | TooMany
  | { ok: false; reason: "wrong-password" };

/** Counts guesses together with those at sign-in. */
export async function checkPassword(
  { db, accounts }: SignInDependencies,
  { email, ...proof }: PasswordProof,
  now: Date,
): Promise<PasswordChecked> {
  const person = accounts.personOf(email);
  return guessPassword({ db, accounts }, { ...proof, subject: person }, now, async (isRight) => {
    const user = await findUser(db, email, person);
    if (!(await isRight(user?.passwordHash ?? null)) || !user) {
      return { ok: false, reason: "wrong-password" };
    }
    return { ok: true, passwordMark: user.passwordMark };
  });
}

async function upgradeHash(
  { db, accounts }: SignInDependencies,
  user: { id: string; passwordHash: string | null; password: string; requester: Requester },
) {
  const { id, passwordHash, password, requester } = user;
  if (!passwordHash || !accounts.isOutdatedHash(passwordHash)) return;
  try {
    const newHash = await accounts.hashPassword(password, requester);
    await replaceHash(db, id, passwordHash, newHash);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
  }
}

/** After the right password, before the code. Bound to that very password. */
export interface SecondStep {
  userId: string;
  passwordMark: string | null;
}

export async function findStepAccount(
  db: Db,
  { userId, passwordMark: mark }: Pick<SecondStep, "userId"> & Partial<SecondStep>,
) {
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

interface CodeParts extends SignInDependencies {
  env: Pick<Env, "sessionSecret">;
  jobs: Jobs;
}

type CodeGuess = Pick<PasswordProof, "device" | "address"> & { code: string };

type CodeChecked = { ok: true } | TooMany | { ok: false; reason: "wrong-code" };

/** Uses up a code. Wrong ones count like wrong passwords. */
export async function checkCode(
  { db, env, jobs, accounts }: CodeParts,
  { userId, code, device, address }: CodeGuess & { userId: string },
  now: Date,
): Promise<CodeChecked> {
  const guesser = { subject: codesOf(userId), device };
  const wait = await countGuess({ db, accounts }, { ...guesser, address }, now);
  if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
  const isRight = await consumeCode({ db, env, jobs }, { userId, code }, now);
  if (!isRight) return { ok: false, reason: "wrong-code" };
  await resetFailures(db, guesser);
  return { ok: true };
}

/** "over" if the password has changed meanwhile. */
export async function passSecondStep(
  parts: CodeParts,
  { account, userAgent, ...guess }: CodeGuess & { account: SecondStep; userAgent: string | null },
  now: Date,
): Promise<
  | { ok: true; session: OpenedSession }
  | { ok: false; reason: "over" }
  | (CodeChecked & { ok: false })
> {
  const checked = await checkCode(parts, { ...guess, userId: account.userId }, now);
  if (!checked.ok) return checked;
  const session = await openSessionOf(parts, account, { now, userAgent, passedSecondFactor: true });
  return session ? { ok: true, session } : { ok: false, reason: "over" };
}

// The change of a password ended all sessions but this one, which opened meanwhile.
async function openSessionOf(
  { db, accounts }: SignInDependencies,
  { userId, passwordMark: mark }: SecondStep,
  options: NewSession,
): Promise<OpenedSession | null> {
  const session = await accounts.openSession(userId, options);
  if ((await lockPassword(db, userId)) === mark) return session;
  await accounts.closeSession(session.token);
  return null;
}
