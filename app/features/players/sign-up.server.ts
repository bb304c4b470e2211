import { type Db, isDatabaseAway, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { findLink } from "#app/features/accounts/mail-links.server.ts";
import {
  endSignUps,
  findSignUp,
  lockPerson,
  type NewSignUp,
  sendAccountExists,
  sendConfirmation,
  type SignUp,
  storeSignUp,
} from "#app/features/accounts/sign-ups.server.ts";
import {
  type Guesser,
  guessPassword,
  networkOf,
  type TooMany,
} from "#app/features/accounts/throttles.server.ts";
import { findUser } from "#app/features/accounts/users.server.ts";
import type { SignUpInput } from "./input.ts";
import { insertPlayer } from "./profiles.server.ts";

interface Parts {
  db: Db;
  accounts: Accounts;
  recallMore?: RecallMore | undefined;
}

/** What features above this one remember of an address, restored on the same transaction. */
export type RecallMore = (
  tx: Tx,
  player: { userId: string; addressHash: string },
  now: Date,
) => Promise<void>;

interface Registration extends SignUpInput {
  /** The client's network address. */
  address: string;
  /** Hash of the key in the browser's sign-up cookie. */
  browserHash?: string | null;
  /** The page of ours that it began from. */
  redirectTo?: string | null;
  /** The token of a confirmation link that this address was sent: it need not be sent another. */
  proof?: string | undefined;
}

type Registered =
  /** `resent`: the address was known already. `userId` is set where a proof opened the account. */
  | { ok: true; resent: boolean; userId: string | null }
  | TooMany
  /** The address is known, and its mail could not be queued. */
  | { ok: false; reason: "nothing-sent" };

/**
 * Signs a player up: the sign-up waits as a row of its own, with its confirmation link and mail in
 * one transaction, and changes no earlier one. An address that has an account gets a mail about
 * it. How often an address was used before never fails a sign-up. The password is hashed before the
 * transaction opens, for a known address as well. The client address is counted here, after the
 * input was checked, so that forms with mistakes are not counted.
 */
export async function registerPlayer(
  parts: Parts & { jobs: Jobs },
  { address, password, browserHash = null, redirectTo = null, ...input }: Registration,
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
  { jobs, accounts, recallMore }: Parts & { jobs: Jobs },
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
  // A proof is a live link that this very address was sent.
  if (proof && (await findLinked(tx, proof, now))?.email === email) {
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

interface Confirmation {
  token: string;
  /** Hash of the key in the browser's sign-up cookie: enough in the browser that signed up. */
  browserHash: string | null;
  /** The password of this very sign-up, needed in any other browser. */
  password: string;
  /** The client's network address. */
  address: string;
  device: Guesser["device"];
}

export type Confirmed =
  | { ok: true; userId: string; email: string; redirectTo: string | null }
  | Failed;
type Failed = TooMany | { ok: false; reason: "gone" | "no-password" | "wrong-password" };

/**
 * What the page of a confirmation link shows; null where the link is used or expired. The name only
 * in the browser that signed up: in another it may be a stranger's name shown to the owner.
 */
export async function findOpenLink(
  db: Db,
  { token, browserHash }: Pick<Confirmation, "token" | "browserHash">,
  now: Date,
): Promise<{ email: string; firstName: string | null } | null> {
  const signUp = await findLinked(db, token, now);
  if (!signUp) return null;
  const isOwn = isOwnBrowser(signUp, browserHash);
  return { email: signUp.email, firstName: isOwn ? signUp.firstName : null };
}

/** The account whose address a link has confirmed already, within the day that it lasts. */
export function findConfirmed(db: Db, token: string, now: Date): Promise<string | null> {
  return findLink(db, "confirmed", token, now);
}

/**
 * Confirms the address of the sign-up that a link belongs to and makes its account, from that
 * sign-up alone. In another browser than the one that signed up the password proves that it is not
 * a stranger's sign-up; a wrong one counts as a failed sign-in. Ends the person's other sign-ups.
 */
export async function confirmSignUp(
  { db, accounts, recallMore }: Parts,
  { token, browserHash, ...guess }: Confirmation,
  now: Date,
): Promise<Confirmed> {
  const signUp = await findLinked(db, token, now);
  if (!signUp) return { ok: false, reason: "gone" };
  const { email, redirectTo } = signUp;
  const person = accounts.personOf(email);
  if (!isOwnBrowser(signUp, browserHash)) {
    if (!guess.password) return { ok: false, reason: "no-password" };
    const owner = { ...guess, email: person };
    const failed = await guessPassword<Failed | null>(
      { db, accounts },
      owner,
      now,
      async (isRight) =>
        (await isRight(signUp.passwordHash)) ? null : { ok: false, reason: "wrong-password" },
    );
    if (failed) return failed;
  }
  const userId = await db.transaction().execute(async (tx) => {
    await lockPerson(tx, person);
    // Read again under the lock: the link may have been used meanwhile.
    if (!(await findLinked(tx, token, now))) return null;
    const memory = { addressHash: accounts.hashEmail(email), recallMore };
    return openAccount(tx, { ...signUp, personEmail: person }, memory, now);
  });
  return userId ? { ok: true, userId, email, redirectTo } : { ok: false, reason: "gone" };
}

async function findLinked(db: Db | Tx, token: string, now: Date): Promise<SignUp | null> {
  const signUpId = await findLink(db, "confirm", token, now);
  return signUpId ? findSignUp(db, signUpId) : null;
}

function isOwnBrowser(signUp: SignUp, browserHash: string | null): boolean {
  return browserHash !== null && signUp.browserHash === browserHash;
}

interface Memory {
  /** By Accounts.hashEmail. */
  addressHash: string;
  recallMore?: RecallMore | undefined;
}

/**
 * Makes user, account and profile of a sign-up, under the person's lock, restores what is
 * remembered of the address, and ends all sign-ups of the person with their links. The user's id,
 * or null where the person has an account.
 */
export async function openAccount(
  tx: Tx,
  signUp: NewSignUp,
  { addressHash, recallMore }: Memory,
  now: Date,
): Promise<string | null> {
  const userId = await insertPlayer(tx, signUp);
  if (!userId) return null;
  await recallFreeSession(tx, userId, addressHash, now);
  await recallMore?.(tx, { userId, addressHash }, now);
  await endSignUps(tx, signUp.personEmail, userId);
  return userId;
}

/** A deleted account may have used the address's one free session. */
async function recallFreeSession(tx: Tx, userId: string, addressHash: string, now: Date) {
  const had = tx.selectFrom("former_free_sessions").select("address_hash");
  await tx
    .updateTable("profiles")
    .set({ had_free_session: true })
    .where("user_id", "=", userId)
    .where((eb) =>
      eb.exists(had.where("address_hash", "=", addressHash).where("kept_until", ">", now)),
    )
    .execute();
}
