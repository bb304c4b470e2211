import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { findLink } from "#app/features/accounts/mail-links.server.ts";
import { forgetFailures, type Guesser, lineOf, admitGuess, turnOf } from "#app/features/accounts/throttles.server.ts";
import { findSignUp, lockPerson } from "#app/features/accounts/sign-ups.server.ts";
import { openAccount, type RecallMore } from "./open-account.server.ts";

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
