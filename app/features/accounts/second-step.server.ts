import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import type { OpenedSession } from "./sessions.server.ts";
import { admitGuess, forgetFailures } from "./sign-in-attempts.server.ts";
import { consumeCode } from "./two-factor.server.ts";
import { lockPassword, passwordMark } from "./users.server.ts";

interface Parts {
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
  { db, env, jobs, accounts }: Parts,
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
  parts: Parts,
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
