import { sql, type RawBuilder } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockAdmins } from "./account-status.server.ts";
import { forgetLinks } from "./mail-links.server.ts";
import { codesOf } from "./sign-in.server.ts";
import { forgetAllFailures } from "./throttles.server.ts";
import { deleteTwoFactor } from "./two-factor.server.ts";
import type { EmailTags } from "#app/platform/env.server.ts";

export interface FoundUser {
  id: string;
  isSuspended: boolean;
  passwordHash: string | null;
  /** By which a password is known from the next one; the same for another hash of it. */
  passwordMark: string | null;
}

/**
 * The account of an address in lower case, or else of its person (Accounts.personOf), or null: one
 * signs in with any tag, also where two tags got accounts before tags were one person.
 */
export async function findUser(
  db: Db | Tx,
  email: string,
  person: string,
): Promise<FoundUser | null> {
  const user = await db
    .selectFrom("users")
    .leftJoin("accounts", (join) =>
      join.onRef("accounts.user_id", "=", "users.id").on("provider_id", "=", "credential"),
    )
    .select(["users.id", "accounts.password as passwordHash", passwordMark])
    .select((eb) => eb("users.suspended_at", "is not", null).$castTo<boolean>().as("isSuspended"))
    .where((eb) => eb.or([eb("users.email", "=", email), eb("person_email", "=", person)]))
    .orderBy((eb) => eb("users.email", "=", email), "desc")
    .limit(1)
    .executeTakeFirst();
  return user ?? null;
}

/**
 * The password's mark (FoundUser) as it is once no change of it is under way, locked for the rest
 * of a transaction; null without a password.
 */
export async function lockPassword(db: Db | Tx, userId: string): Promise<string | null> {
  const account = await db
    .selectFrom("accounts")
    .select(passwordMark)
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .forUpdate()
    .executeTakeFirst();
  return account?.passwordMark ?? null;
}

/** Where to write to a user and how to address them; null when there is no such user. */
export async function findAddressee(db: Db, userId: string) {
  const user = await db
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.email", "profiles.first_name as firstName"])
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return user ?? null;
}

/** Replaces a user's password on the caller's transaction; hash it before that one opens. */
export async function setPassword(
  tx: Tx,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ password: passwordHash, updated_at: laterThanBefore(now) })
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .execute();
}

// In microseconds: text as the database writes a time depends on its settings.
export const passwordMark = sql<
  string | null
>`(extract(epoch from accounts.updated_at) * 1e6)::bigint::text`.as("passwordMark");

// A password that replaces another at the same moment still has a mark of its own.
const laterThanBefore = (now: Date) =>
  sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 microsecond')`;

/** Mails the owner of an account that its password was changed. */
export function sendPasswordChanged(tx: Tx, jobs: Jobs, userId: string, now: Date): Promise<void> {
  return jobs.enqueue(tx, "mail.password-changed", { userId, at: now.toISOString() });
}

/** Puts another hash of the same password into its place, unless it was changed meanwhile. */
export async function replaceHash(
  db: Db,
  userId: string,
  current: string,
  next: string,
): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ password: next })
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .where("password", "=", current)
    .execute();
}

export interface NewAccount {
  /** Lower case. */
  email: string;
  name: string;
  /** By Accounts.personOf; the address itself where that is not asked, as for the demo. */
  personEmail?: string | undefined;
  passwordHash: string;
}

/**
 * The rows of a new account whose address is proved, on the caller's transaction. Answers the
 * user's id, or null when the address or its person has one, which the unique indexes decide.
 */
export async function registerAccount(tx: Tx, account: NewAccount): Promise<string | null> {
  const { email, name, passwordHash, personEmail = email } = account;
  const user = await tx
    .insertInto("users")
    .values({ email, name, person_email: personEmail, email_verified: true })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!user) return null;
  await tx
    .insertInto("accounts")
    .values({
      user_id: user.id,
      account_id: user.id,
      provider_id: "credential",
      password: passwordHash,
    })
    .execute();
  return user.id;
}

/** Keeps the account's name in step with the profile's. */
export async function renameAccount(tx: Tx, userId: string, name: string): Promise<void> {
  await tx.updateTable("users").set({ name }).where("id", "=", userId).execute();
}

interface Account {
  userId: string;
  email: string;
}

/** Locks an account that is to go; false where it has gone already. First in the lock order. */
export async function lockAccount(tx: Tx, { userId, email }: Account): Promise<boolean> {
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/** Whether nobody else is an admin, as it stands under the lock of all of them. */
export async function isLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  const admins = await lockAdmins(tx);
  return admins.length === 1 && admins[0] === userId;
}

/**
 * Takes everything from an account that leads to a person or lets one in: address, name, password,
 * sessions, links and roles. The row stays, for the books refer to it under `pseudonym`.
 * `person` is the address by Accounts.personOf.
 */
export async function forgetAccount(
  tx: Tx,
  { userId, person }: { userId: string; person: string },
  pseudonym: { email: string; name: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      ...pseudonym,
      email_verified: false,
      image: null,
      suspended_at: null,
      suspended_reason: null,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  await tx.deleteFrom("accounts").where("user_id", "=", userId).execute();
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await tx.deleteFrom("user_roles").where("user_id", "=", userId).execute();
  await forgetLinks(tx, userId, ["confirmed", "reset", "exists"]);
  await deleteTwoFactor(tx, userId);
  await forgetAllFailures(tx, person);
  await forgetAllFailures(tx, codesOf(userId));
}

/**
 * Brings what the rows say of persons into line with EMAIL_TAGS, which may have changed since they
 * were written. Accounts that are one person's now all stay; the one without a tag, else the
 * oldest, is the person's, and the others are known by their whole address alone.
 */
export async function alignPersons(db: Db, tags: EmailTags): Promise<void> {
  const person = personSql(tags);
  await db.transaction().execute(async (tx) => {
    const { rows } = await outOfLine(person).execute(tx);
    if (rows.length > 0) {
      // Nobody gets an account between what is read and what is written.
      await sql`lock table users in share row exclusive mode`.execute(tx);
      await sql`update users set person_email = wanted.person
        from (${outOfLine(person)}) wanted where users.id = wanted.id`.execute(tx);
    }
    await sql`update sign_ups set person_email = ${person}
      where person_email <> ${person}`.execute(tx);
  });
}

/** Accounts whose person should be another one that nobody else is. */
function outOfLine(person: RawBuilder<string>) {
  return sql`select distinct on (person) id, person
    from (select id, email, person_email, created_at, ${person} as person from users) people
    where person_email <> person and not exists (
      select from users others where others.person_email = people.person and others.id <> people.id)
    order by person, email = person desc, created_at, id`;
}

/** As personOf in rules.ts. */
function personSql(tags: EmailTags): RawBuilder<string> {
  return tags === "same" ? sql`regexp_replace(email, '^([^+@]+)\\+[^@]*@', '\\1@')` : sql`email`;
}
