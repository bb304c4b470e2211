import type { Db } from "#app/platform/db.server.ts";
import type { Accounts } from "./accounts.server.ts";
import {
  forgetFailures,
  type Guesser,
  lineOf,
  admitGuess,
  turnOf,
} from "./sign-in-attempts.server.ts";
import { findUser } from "./users.server.ts";

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
