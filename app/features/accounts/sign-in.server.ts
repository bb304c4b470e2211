import type { Db } from "../../platform/db.server.ts";
import { BusyError, type Turn } from "../../platform/turns.server.ts";
import type { Accounts } from "./accounts.server.ts";
import type { SignInInput } from "./input.ts";
import { isOutdated } from "./passwords.server.ts";
import { type SecondStep, secondStep } from "./second-step.server.ts";
import type { OpenedSession } from "./sessions.server.ts";
import { forgetFailures, type Guesser, takeAttempt, turnOf } from "./sign-in-attempts.server.ts";
import { findTwoFactor } from "./two-factor.server.ts";
import { findUser, lockPassword, replaceHash } from "./users.server.ts";

interface Parts {
  db: Db;
  accounts: Accounts;
}

interface Attempt extends SignInInput, Guesser {
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
  | { ok: false; reason: "wrong-credentials" | "suspended" | "not-confirmed" };

/**
 * Signs in with a password. An unknown address is answered like a wrong password, after the same
 * work. Whether an account is suspended or waits for its confirmation is told only to who knows the
 * password.
 */
export async function signIn(
  { db, accounts }: Parts,
  { email, password, address, device, userAgent = null }: Attempt,
  now: Date,
): Promise<SignedIn> {
  const addressWait = await accounts.limits.count("sign-in", address);
  if (addressWait) return { ok: false, reason: "too-many", retryAfterSeconds: addressWait };
  const turn = turnOf({ email, device, address });
  // In turn, so that right passwords sent at once do not count against one another.
  return accounts.inTurn(device ? `${email} ${device}` : email, async () => {
    const wait = await takeAttempt(db, { email, device }, now);
    if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
    const user = await findUser(db, email);
    const isRight = await accounts.verifyPassword(user?.passwordHash ?? null, password, turn);
    if (!user || !isRight) return { ok: false, reason: "wrong-credentials" };
    await forgetFailures(db, { email, device });
    if (user.isSuspended) return { ok: false, reason: "suspended" };
    if (!user.confirmed) return { ok: false, reason: "not-confirmed" };
    const hash = await upgradeHash({ db, accounts }, { ...user, password, turn });
    if (await findTwoFactor(db, user.id)) {
      return { ok: false, reason: "second-factor", step: secondStep(user.id, hash) };
    }
    const session = await accounts.openSession(user.id, { now, userAgent });
    if ((await lockPassword(db, user.id)) === hash) return { ok: true, session };
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

/** The hash that now holds; one that was made by former advice is made again, if there is time. */
async function upgradeHash({ db, accounts }: Parts, { id, passwordHash, password, turn }: Upgrade) {
  if (!passwordHash || !isOutdated(passwordHash)) return passwordHash;
  try {
    const newHash = await accounts.hashPassword(password, turn);
    return (await replaceHash(db, id, passwordHash, newHash)) ? newHash : passwordHash;
  } catch (error) {
    if (error instanceof BusyError) return passwordHash;
    throw error;
  }
}
