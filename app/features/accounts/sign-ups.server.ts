import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { type Accounts, findUser } from "./accounts.server.ts";
import { endConfirmations, issueConfirmation, issueLink, strangerId } from "./mail-links.server.ts";
import { gameIdAt, MOST_SIGN_UPS, SIGN_UP_DAYS } from "./rules.ts";
import type { TooMany } from "./throttles.server.ts";

export interface Person {
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  schoolYear: string;
  major: string;
  phone: string | null;
}

export interface NewSignUp extends Person {
  email: string;
  personEmail: string;
  passwordHash: string;
  browserHash: string | null;
  redirectTo: string | null;
}

export type SignUp = NewSignUp & { id: string };

const DAY = 24 * 60 * 60 * 1_000;

export async function findSignUp(db: Db | Tx, id: string): Promise<SignUp | null> {
  const signUp = await db
    .selectFrom("sign_ups")
    .select(["id", "email", "phone", "major"])
    .select(["person_email as personEmail", "password_hash as passwordHash"])
    .select(["first_name as firstName", "last_name as lastName", "school_year as schoolYear"])
    .select(["date_of_birth as dateOfBirth", "browser_hash as browserHash"])
    .select("redirect_to as redirectTo")
    .where("id", "=", id)
    .executeTakeFirst();
  return signUp ?? null;
}

interface LinkRequest extends SignUpChoice {
  email: string;
  address: string;
  redirectTo?: string | null;
}

interface SignUpChoice {
  browserHash?: string | null;
  /** From a form: ignored unless it is this person's. */
  preferredId?: string | undefined;
}

/** The preferred one, otherwise this browser's newest, otherwise the newest. */
export async function chooseSignUp(
  db: Db | Tx,
  { person, browserHash, preferredId }: SignUpChoice & { person: string },
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

// Under the person's lock. When full, delete the oldest without a valid link; if all have one, `id`
// is null: any email already sent lets the owner in (proof in registerPlayer).
export async function storeSignUp(
  tx: Tx,
  signUp: NewSignUp,
  now: Date,
): Promise<{ id: string | null; isKnown: boolean }> {
  const { waiting } = await tx
    .selectFrom("sign_ups")
    .select((eb) => eb.fn.countAll<number>().as("waiting"))
    .where("person_email", "=", signUp.personEmail)
    .where("created_at", ">", oldestSignUp(now))
    .executeTakeFirstOrThrow();
  const isKnown = waiting > 0;
  const hasRoom = waiting < MOST_SIGN_UPS || (await makeRoom(tx, signUp.personEmail, now));
  if (!hasRoom) return { id: null, isKnown };
  const { id } = await tx
    .insertInto("sign_ups")
    .values({
      ...personColumns(signUp),
      email: signUp.email,
      person_email: signUp.personEmail,
      password_hash: signUp.passwordHash,
      browser_hash: signUp.browserHash,
      redirect_to: signUp.redirectTo,
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, isKnown };
}

async function makeRoom(tx: Tx, person: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from sign_ups where id = (
    select id from sign_ups where person_email = ${person} and not exists (
      select from verifications where value = sign_ups.id::text
        and identifier like 'confirm:%' and expires_at > ${now})
    order by created_at limit 1)`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

export function personColumns(person: Person) {
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    date_of_birth: person.dateOfBirth,
    school_year: person.schoolYear,
    major: person.major,
    phone: person.phone,
  };
}

/** From then on, their links show that `userId` is confirmed. */
export async function endSignUps(tx: Tx, person: string, userId: string): Promise<void> {
  const ended = await tx
    .deleteFrom("sign_ups")
    .where("person_email", "=", person)
    .returning("id")
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) await endConfirmations(tx, ids, userId);
}

export async function deleteOldSignUps(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("sign_ups").where("created_at", "<=", oldestSignUp(now)).execute();
}

function oldestSignUp(now: Date): Date {
  return new Date(now.getTime() - SIGN_UP_DAYS * DAY);
}

/** An advisory lock: the person may have no row yet. First in the lock order; held until commit. */
export async function lockPerson(tx: Tx, person: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`person:${person}`}, 0))`.execute(tx);
}

/** Mails the link of a sign-up, or how to sign in. The result is the same for every address. */
export async function resendConfirmation(
  { db, jobs, accounts }: { db: Db; jobs: Jobs; accounts: Accounts },
  { email, address, redirectTo = null, ...choice }: LinkRequest,
  now: Date,
): Promise<{ ok: true } | TooMany> {
  const retryAfterSeconds = await accounts.limits.count("mail", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const person = accounts.personOf(email);
  await db.transaction().execute(async (tx) => {
    await lockPerson(tx, person);
    const user = await findUser(tx, email, person);
    if (user) return sendAccountExists(tx, jobs, { userId: user.id, redirectTo }, now);
    const signUp = await chooseSignUp(tx, { ...choice, person }, now);
    if (signUp && redirectTo) await redirectSignUp(tx, signUp.id, { ...choice, redirectTo });
    // Without a sign-up the same work, counted separately so that it delays no owner's mail.
    const stranger = { signUpId: strangerId(email), mailbox: `nobody:${person}` };
    const to = signUp ? { signUpId: signUp.id, mailbox: person } : stranger;
    await sendConfirmation(tx, jobs, to, now);
  });
  return { ok: true };
}

/** Only the browser that signed up may lead its own sign-up elsewhere. */
async function redirectSignUp(
  tx: Tx,
  id: string,
  { browserHash = null, redirectTo }: SignUpChoice & { redirectTo: string },
): Promise<void> {
  await tx
    .updateTable("sign_ups")
    .set({ redirect_to: redirectTo })
    .where("id", "=", id)
    .where("browser_hash", "=", browserHash)
    .execute();
}

export async function sendAccountExists(
  tx: Tx,
  jobs: Jobs,
  { userId, redirectTo }: { userId: string; redirectTo: string | null },
  now: Date,
) {
  const counted = await issueLink(tx, "exists", userId, now);
  const mail = { userId, gameId: gameIdAt(redirectTo) };
  if (counted) await jobs.enqueueEmails(tx, "account-exists", [mail], { isFirst: true });
}

/** Under the person's lock. Each further mail in an hour waits longer (rules.ts). */
export async function sendConfirmation(
  tx: Tx,
  jobs: Jobs,
  signUp: { signUpId: string; mailbox: string },
  now: Date,
): Promise<void> {
  const issued = await issueConfirmation(tx, signUp, now);
  if (!issued) return;
  const { token, delaySeconds } = issued;
  const when = { delaySeconds, isFirst: true };
  await jobs.enqueueEmails(tx, "confirm-address", [{ signUpId: signUp.signUpId, token }], when);
}
