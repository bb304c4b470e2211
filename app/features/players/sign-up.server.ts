import { type Db, isDatabaseAway, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import { type Accounts, findUser } from "#app/features/accounts/accounts.server.ts";
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
import type { SignUpInput } from "./input.ts";
import { insertPlayer } from "./profiles.server.ts";

interface SignUpDependencies {
  db: Db;
  accounts: Accounts;
  /** A debt that a deleted account of this address left behind. */
  recallDebt(tx: Tx, player: { userId: string; addressHash: string }, now: Date): Promise<void>;
}

interface Registration extends SignUpInput {
  address: string;
  browserHash?: string | null;
  redirectTo?: string | null;
  /** A confirmation link sent to this address, which then needs no other. */
  proof?: string | undefined;
}

type Registered =
  /** `userId` is set where a proof opened the account. */
  | { ok: true; resent: boolean; userId: string | null }
  | TooMany
  | { ok: false; reason: "nothing-sent" };

// Changes no earlier sign-up. The password is hashed for a known address too. The client address is
// counted here, so that mistakes in the form are not.
export async function registerPlayer(
  parts: SignUpDependencies & { jobs: Jobs },
  { address, password, browserHash = null, redirectTo = null, ...input }: Registration,
  now: Date,
): Promise<Registered> {
  const { db, accounts } = parts;
  const retryAfterSeconds = await accounts.limits.count("sign-up", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(input.email);
  const requester = { client: networkOf(address), account: person };
  const passwordHash = await accounts.hashPassword(password, requester);
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
  { jobs, accounts, recallDebt }: SignUpDependencies & { jobs: Jobs },
  { proof, ...signUp }: NewSignUp & { proof?: string | undefined },
  now: Date,
): Promise<Registered> {
  const { email, personEmail: person } = signUp;
  await lockPerson(tx, person);
  const user = await findUser(tx, email, person);
  if (user) {
    const { redirectTo } = signUp;
    await orNothingSent(sendAccountExists(tx, jobs, { userId: user.id, redirectTo }, now));
    return { ok: true, resent: true, userId: null };
  }
  if (proof && (await findLinked(tx, proof, now))?.email === email) {
    const addressHash = accounts.hashEmail(email);
    const userId = await openAccount(tx, signUp, { addressHash, recallDebt }, now);
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
  /** Enough in the browser that signed up; any other browser needs the password. */
  browserHash: string | null;
  password: string;
  address: string;
  device: Guesser["device"];
}

type Confirmed = { ok: true; userId: string; email: string; redirectTo: string | null } | Failed;
type Failed = TooMany | { ok: false; reason: "gone" | "no-password" | "wrong-password" };

/** The name only for the browser that signed up: any other may be a stranger's. */
export async function findOpenLink(
  db: Db,
  { token, browserHash }: Pick<Confirmation, "token" | "browserHash">,
  now: Date,
): Promise<{ email: string; firstName: string | null; redirectTo: string | null } | null> {
  const signUp = await findLinked(db, token, now);
  if (!signUp) return null;
  const { email, redirectTo } = signUp;
  const isOwn = isOwnBrowser(signUp, browserHash);
  return { email, firstName: isOwn ? signUp.firstName : null, redirectTo };
}

export function findConfirmed(db: Db, token: string, now: Date): Promise<string | null> {
  return findLink(db, "confirmed", token, now);
}

/** In another browser the password proves the owner; a wrong one counts as a failed sign-in. */
export async function confirmSignUp(
  { db, accounts, recallDebt }: SignUpDependencies,
  { token, browserHash, ...guess }: Confirmation,
  now: Date,
): Promise<Confirmed> {
  const signUp = await findLinked(db, token, now);
  if (!signUp) return { ok: false, reason: "gone" };
  const { email, redirectTo } = signUp;
  const person = accounts.personOf(email);
  if (!isOwnBrowser(signUp, browserHash)) {
    if (!guess.password) return { ok: false, reason: "no-password" };
    const owner = { ...guess, subject: person };
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
    const memory = { addressHash: accounts.hashEmail(email), recallDebt };
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

/** Under the person's lock; ends all their sign-ups. Null where the person has an account. */
export async function openAccount(
  tx: Tx,
  signUp: NewSignUp,
  { addressHash, recallDebt }: Pick<SignUpDependencies, "recallDebt"> & { addressHash: string },
  now: Date,
): Promise<string | null> {
  const userId = await insertPlayer(tx, signUp);
  if (!userId) return null;
  await recallFreeSession(tx, userId, addressHash, now);
  await recallDebt(tx, { userId, addressHash }, now);
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
