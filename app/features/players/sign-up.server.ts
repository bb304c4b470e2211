import { type Db, isDatabaseAway, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { networkOf, forgetFailures, type Guesser, lineOf, admitGuess, turnOf } from "#app/features/accounts/throttles.server.ts";
import { sendAccountExists, sendConfirmation, lockPerson, findSignUp } from "#app/features/accounts/sign-ups.server.ts";
import { findUser } from "#app/features/accounts/users.server.ts";
import type { SignUpInput } from "./input.ts";
import { type NewSignUp, storeSignUp } from "./store-sign-up.server.ts";
import { findLink, endConfirmations } from "#app/features/accounts/mail-links.server.ts";
import { insertPlayer } from "./profiles.server.ts";

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
  parts: SignUpParts,
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
  { jobs, accounts, recallMore }: SignUpParts,
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

interface Parts {
  db: Db;
  accounts: Accounts;
  recallMore?: RecallMore | undefined;
}

interface Confirmation {
  token: string;
  /** Of the key in the browser's sign-up cookie: in the browser that signed up it is enough. */
  browserHash: string | null;
  /** The password of this very sign-up, asked for in any other browser. */
  password: string;
  /** The client's network address. */
  address: string;
  device: Guesser["device"];
}

export type Confirmed =
  | { ok: true; userId: string; email: string; redirectTo: string | null }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  | { ok: false; reason: "gone" | "no-password" | "wrong-password" };

/** What a confirmation link would confirm. */
interface OpenLink {
  email: string;
  /** Only in the browser that signed up: another may be the owner's, and the name a stranger's. */
  firstName: string | null;
}

type Row = NonNullable<Awaited<ReturnType<typeof findSignUp>>>;

/** What the page of a link shows; changes nothing. Null when the link is used or over. */
export async function findOpenLink(
  db: Db,
  { token, browserHash }: Pick<Confirmation, "token" | "browserHash">,
  now: Date,
): Promise<OpenLink | null> {
  const signUp = await findLinked(db, token, now);
  if (!signUp) return null;
  const isOwn = isOwnBrowser(signUp, browserHash);
  return { email: signUp.email, firstName: isOwn ? signUp.first_name : null };
}

/** The account whose address a link has confirmed already, within the day that it lasts. */
export function findConfirmed(db: Db, token: string, now: Date): Promise<string | null> {
  return findLink(db, "confirmed", token, now);
}

/**
 * Confirms the address of the sign-up that a link belongs to and makes its account, with what was
 * sent with that sign-up and nothing else. Who does not hold the browser that signed up proves by
 * the password that it is their sign-up, and not one that a stranger began in their name; a wrong
 * one counts as a failed sign-in. All other sign-ups of the person end with it.
 */
export async function confirmSignUp(
  parts: Parts,
  confirmation: Confirmation,
  now: Date,
): Promise<Confirmed> {
  const { db, accounts } = parts;
  const signUp = await findLinked(db, confirmation.token, now);
  if (!signUp) return { ok: false, reason: "gone" };
  if (!isOwnBrowser(signUp, confirmation.browserHash)) {
    if (!confirmation.password) return { ok: false, reason: "no-password" };
    const failed = await checkSignUpPassword(parts, signUp, confirmation, now);
    if (failed) return failed;
  }
  const person = accounts.personOf(signUp.email);
  const userId = await db.transaction().execute(async (tx) => {
    await lockPerson(tx, person);
    return openLinked(tx, parts, { ...confirmation, signUp, person }, now);
  });
  if (!userId) return { ok: false, reason: "gone" };
  return { ok: true, userId, email: signUp.email, redirectTo: signUp.redirect_to };
}

async function checkSignUpPassword(
  { db, accounts }: Parts,
  signUp: Row,
  { password, address, device }: Confirmation,
  now: Date,
): Promise<(Confirmed & { ok: false }) | null> {
  const guesser = { email: accounts.personOf(signUp.email), device };
  return accounts.inTurn(lineOf(guesser), async () => {
    const wait = await admitGuess({ db, accounts }, { ...guesser, address }, now);
    if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
    const turn = turnOf({ ...guesser, address });
    const isRight = await accounts.verifyPassword(signUp.password_hash, password, turn);
    if (!isRight) return { ok: false, reason: "wrong-password" };
    await forgetFailures(db, guesser);
    return null;
  });
}

/** Asks for the link again, under the lock: it may have been used meanwhile. */
async function openLinked(
  tx: Tx,
  { accounts, recallMore }: Parts,
  { token, signUp, person }: { token: string; signUp: Row; person: string },
  now: Date,
): Promise<string | null> {
  if (!(await findLinked(tx, token, now))) return null;
  const player = {
    email: signUp.email,
    personEmail: person,
    passwordHash: signUp.password_hash,
    firstName: signUp.first_name,
    lastName: signUp.last_name,
    dateOfBirth: signUp.date_of_birth,
    schoolYear: signUp.school_year,
    major: signUp.major,
    phone: signUp.phone,
    browserHash: signUp.browser_hash,
    redirectTo: signUp.redirect_to,
  };
  const addressHash = accounts.hashEmail(signUp.email);
  return openAccount(tx, player, { addressHash, recallMore }, now);
}

async function findLinked(db: Db | Tx, token: string, now: Date): Promise<Row | null> {
  const signUpId = await findLink(db, "confirm", token, now);
  return signUpId ? findSignUp(db, signUpId) : null;
}

function isOwnBrowser(signUp: Row, browserHash: string | null): boolean {
  return browserHash !== null && signUp.browser_hash === browserHash;
}

/** What features above this one remember of an address, given back on the same transaction. */
export type RecallMore = (
  tx: Tx,
  player: { userId: string; addressHash: string },
  now: Date,
) => Promise<void>;

interface Memory {
  /** By Accounts.hashEmail. */
  addressHash: string;
  recallMore?: RecallMore | undefined;
}

/**
 * Makes user, account and profile of one sign-up, under the person's lock, gives back what is
 * remembered of the address, and ends all sign-ups of the person with their links. Answers the
 * user's id, or null where the person has an account.
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
  const ended = await tx
    .deleteFrom("sign_ups")
    .where("person_email", "=", signUp.personEmail)
    .returning("id")
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) await endConfirmations(tx, ids, userId);
  return userId;
}

/** Whether a token is that of a live confirmation link that this very address was sent. */
export async function isProved(
  tx: Tx,
  { email, token }: { email: string; token: string },
  now: Date,
): Promise<boolean> {
  const signUpId = await findLink(tx, "confirm", token, now);
  const signUp = signUpId ? await findSignUp(tx, signUpId) : null;
  return signUp?.email === email;
}

/** An account that was deleted here may have had the address's one free session. */
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
