import type { Db } from "#app/platform/db.server.ts";
import { BusyError, type Turn } from "#app/platform/turns.server.ts";
import type { Accounts } from "./accounts.server.ts";
import type { SignInInput } from "./input.ts";
import type { SecondStep } from "./second-step.server.ts";
import type { OpenedSession } from "./sessions.server.ts";
import {
  forgetFailures,
  type Guesser,
  lineOf,
  admitGuess,
  turnOf,
} from "./sign-in-attempts.server.ts";
import { chooseSignUp } from "./sign-ups.server.ts";
import { findTwoFactor } from "./two-factor.server.ts";
import { findUser, lockPassword, replaceHash } from "./users.server.ts";

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
