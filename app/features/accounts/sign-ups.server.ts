import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { SIGN_UP_DAYS } from "./rules.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { issueLink, strangerId, issueConfirmation } from "./mail-links.server.ts";
import { findUser } from "./users.server.ts";

/** Which of a person's sign-ups is meant. */
export interface SignUpChoice {
  /** By Accounts.personOf. */
  person: string;
  /** Of the browser that asks (its sign-up cookie, hashed); null for one without. */
  browserHash: string | null;
  /** One that is known from a form; it only counts where it is this person's. */
  preferredId?: string | undefined;
}

const DAY = 24 * 60 * 60 * 1_000;

/** A sign-up that waits for its confirmation, or null. */
export async function findSignUp(db: Db | Tx, id: string) {
  const signUp = db.selectFrom("sign_ups").selectAll().where("id", "=", id);
  return (await signUp.executeTakeFirst()) ?? null;
}

/** The named one, else the newest of this browser, else the newest; null where none waits. */
export async function chooseSignUp(
  db: Db | Tx,
  { person, browserHash, preferredId }: SignUpChoice,
  now: Date,
): Promise<{ id: string; passwordHash: string } | null> {
  const preferred = isId(preferredId) ? preferredId : null;
  const signUp = await db
    .selectFrom("sign_ups")
    .select(["id", "password_hash as passwordHash"])
    .where("person_email", "=", person)
    .where("created_at", ">", oldestSignUp(now))
    .orderBy(sql`id is not distinct from ${preferred}::uuid`, "desc")
    .orderBy(sql`browser_hash is not distinct from ${browserHash ?? ""}::text`, "desc")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return signUp ?? null;
}

/** Sign-ups from before then are over. */
export function oldestSignUp(now: Date): Date {
  return new Date(now.getTime() - SIGN_UP_DAYS * DAY);
}

/**
 * Sign-ups, their mails and their confirmations happen one after another for each person, who may
 * have no row yet. First in the lock order; held to the end of the transaction.
 */
export async function lockPerson(tx: Tx, person: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`person:${person}`}, 0))`.execute(tx);
}

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
}

interface Request extends Partial<Omit<SignUpChoice, "person">> {
  email: string;
  /** The client's network address. */
  address: string;
}

type Resent = { ok: true } | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/**
 * Sends what an address needs: the link of its sign-up (the one named, else this browser's newest,
 * else the newest), or, where it has an account, how to sign in. The result is the same for every
 * address; only a client address that asks too often gets an error.
 */
export async function resendConfirmation(
  { db, jobs, accounts }: Parts,
  { email, address, browserHash = null, preferredId }: Request,
  now: Date,
): Promise<Resent> {
  const retryAfterSeconds = await accounts.limits.count("mail", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(email);
  await db.transaction().execute(async (tx) => {
    await lockPerson(tx, person);
    const user = await findUser(tx, email, person);
    if (user) return sendAccountExists(tx, jobs, user.id, now);
    const signUp = await chooseSignUp(tx, { person, browserHash, preferredId }, now);
    // For nobody the same work, with a count of its own: it keeps no owner's mail waiting.
    const [signUpId, mailbox] = signUp
      ? [signUp.id, person]
      : [strangerId(email), `nobody:${person}`];
    await sendConfirmation(tx, jobs, { signUpId, mailbox }, now);
  });
  return { ok: true };
}

/** Tells the owner of an account how to sign in, unless they had as many such mails this hour. */
export async function sendAccountExists(
  tx: Tx,
  jobs: Jobs,
  userId: string,
  now: Date,
): Promise<void> {
  const counted = await issueLink(tx, "exists", userId, now);
  if (counted) await jobs.enqueue(tx, "mail.account-exists", { userId });
}

/**
 * Sends a confirmation link of a sign-up, on the caller's transaction and under the person's lock.
 * The first mails of an hour to a `mailbox` go at once, later ones after growing pauses, and none
 * while too many wait. Earlier links stay valid.
 */
export async function sendConfirmation(
  tx: Tx,
  jobs: Jobs,
  to: { signUpId: string; mailbox: string },
  now: Date,
): Promise<void> {
  const issued = await issueConfirmation(tx, to, now);
  if (!issued) return;
  const { token, delaySeconds } = issued;
  const { signUpId } = to;
  await jobs.enqueue(tx, "mail.confirm-address", { signUpId, token }, { delaySeconds });
}
