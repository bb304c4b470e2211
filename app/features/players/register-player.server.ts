import { type Db, isDatabaseAway, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { sendAccountExists, sendConfirmation, lockPerson } from "#app/features/accounts/sign-ups.server.ts";
import { findUser } from "#app/features/accounts/users.server.ts";
import type { SignUpInput } from "./input.ts";
import { isProved, openAccount, type RecallMore } from "./open-account.server.ts";
import { type NewSignUp, storeSignUp } from "./store-sign-up.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
  recallMore?: RecallMore | undefined;
}

interface SignUp extends SignUpInput {
  /** The client's network address. */
  address: string;
  /** Of the key in the browser's sign-up cookie. */
  browserHash?: string | null;
  /** The page of ours that it began from. */
  redirectTo?: string | null;
  /** The token of a confirmation link that this address was sent: it need not be sent another. */
  proof?: string | undefined;
}

type Registered =
  /** `resent`: the address was known already. `userId` is set where a proof opened the account. */
  | { ok: true; resent: boolean; userId: string | null }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  /** The address is known, and its mail could not be queued. */
  | { ok: false; reason: "nothing-sent" };

/**
 * Signs a player up: the sign-up waits as a row of its own, with its confirmation link and mail in
 * one transaction, and touches none that came before. An address that has an account is told so by
 * mail. How often an address was used before never fails a sign-up. The password is hashed before
 * the transaction opens, for a known address as well. `input` is checked already; the client
 * address is counted here, so that forms with mistakes are not.
 */
export async function registerPlayer(
  parts: Parts,
  { address, password, browserHash = null, redirectTo = null, ...input }: SignUp,
  now: Date,
): Promise<Registered> {
  const { db, accounts } = parts;
  const retryAfterSeconds = await accounts.limits.count("sign-up", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(input.email);
  const turn = { client: networkOf(address), account: person };
  const passwordHash = await accounts.hashPassword(password, turn);
  const signUp = { ...input, personEmail: person, passwordHash, browserHash, redirectTo };
  try {
    return await db.transaction().execute((tx) => register(tx, parts, signUp, now));
  } catch (error) {
    if (!(error instanceof NothingSentError)) throw error;
    log.error({ err: error.cause }, "a mail to a known address could not be queued");
    return { ok: false, reason: "nothing-sent" };
  }
}

class NothingSentError extends Error {}

async function register(
  tx: Tx,
  { jobs, accounts, recallMore }: Parts,
  { proof, ...signUp }: NewSignUp & { proof?: string | undefined },
  now: Date,
): Promise<Registered> {
  const { email, personEmail: person } = signUp;
  await lockPerson(tx, person);
  const user = await findUser(tx, email, person);
  if (user) {
    await orNothingSent(sendAccountExists(tx, jobs, user.id, now));
    return { ok: true, resent: true, userId: null };
  }
  if (proof && (await isProved(tx, { email, token: proof }, now))) {
    const addressHash = accounts.hashEmail(email);
    const userId = await openAccount(tx, signUp, { addressHash, recallMore }, now);
    if (userId) return { ok: true, resent: true, userId };
  }
  const { id, isKnown } = await storeSignUp(tx, signUp, now);
  if (id) {
    const sent = sendConfirmation(tx, jobs, { signUpId: id, mailbox: person }, now);
    await (isKnown ? orNothingSent(sent) : sent);
  }
  return { ok: true, resent: isKnown, userId: null };
}

async function orNothingSent(sent: Promise<void>): Promise<void> {
  await sent.catch((cause: unknown) => {
    if (isDatabaseAway(cause)) throw cause;
    throw new NothingSentError("nothing sent", { cause });
  });
}
