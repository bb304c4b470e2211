import { type RawBuilder, sql } from "kysely";
import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import type { EmailTags, Env } from "#app/platform/env.server.ts";
import { isId } from "#app/platform/ids.ts";
import { deleteLinks } from "./mail-links.server.ts";
import { passwordMark, createPasswords } from "./passwords.server.ts";
import {
  codesOf,
  resetAllFailures,
  createAddressLimits,
  createKeyedLock,
  hashNetwork,
} from "./throttles.server.ts";
import { deleteTwoFactor } from "./two-factor.server.ts";
import { createHmac } from "node:crypto";
import type pg from "pg";
import { personOf } from "./rules.ts";
import { closeSession, type NewSession, openSession } from "./sessions.server.ts";

/** By the address in lower case, otherwise by its person, who can sign in with any tag. */
export async function findUser(db: Db | Tx, email: string, person: string) {
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

export async function findAddressee(db: Db, userId: string) {
  const user = await db
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.email", "profiles.first_name as firstName"])
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return user ?? null;
}

/** Null if the address or its person has an account, which the unique indexes decide. */
export async function registerAccount(
  tx: Tx,
  account: { email: string; name: string; personEmail?: string | undefined; passwordHash: string },
): Promise<string | null> {
  const { email, name, passwordHash: password, personEmail = email } = account;
  const user = await tx
    .insertInto("users")
    .values({ email, name, person_email: personEmail, email_verified: true })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!user) return null;
  const credential = { account_id: user.id, provider_id: "credential", password };
  await tx
    .insertInto("accounts")
    .values({ user_id: user.id, ...credential })
    .execute();
  return user.id;
}

export async function renameAccount(tx: Tx, userId: string, name: string): Promise<void> {
  await tx.updateTable("users").set({ name }).where("id", "=", userId).execute();
}

/** False if it is deleted already. First in the lock order, but without blocking foreign keys: a
 * profile that a transaction changes twice locks its account again, by then after later locks. */
export async function lockAccount(
  tx: Tx,
  { userId, email }: { userId: string; email?: string },
): Promise<boolean> {
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .$if(email !== undefined, (users) => users.where("email", "=", email!))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/** For an organiser named in a row that is written under later locks; commands have no account. */
export async function lockActor(tx: Tx, actorId: string): Promise<void> {
  if (isId(actorId)) await lockAccounts(tx, [actorId]);
}

/** For rows that name these accounts: a deletion checks foreign keys last, under many locks. */
export async function lockAccounts(tx: Tx, userIds: string[]): Promise<void> {
  const users = tx.selectFrom("users").select("id").where(isOneOf("id", userIds));
  await users.orderBy("id").forShare().execute();
}

/** Removes the person and every way to sign in. The row stays, since the books refer to it. */
export async function anonymizeAccount(
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
  for (const table of ["accounts", "sessions", "user_roles"] as const) {
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  }
  await deleteLinks(tx, userId, ["confirmed", "reset", "exists"]);
  await deleteTwoFactor(tx, userId);
  await resetAllFailures(tx, person);
  await resetAllFailures(tx, codesOf(userId));
}

// EMAIL_TAGS may have changed. Of several accounts of one person the one without a tag, otherwise the
// oldest, is the person's; the others are identified by their whole address.
export async function alignPersons(db: Db, tags: EmailTags): Promise<void> {
  const person = personSql(tags);
  await db.transaction().execute(async (tx) => {
    const { rows } = await outOfLine(person).execute(tx);
    if (rows.length > 0) {
      // No account may be added between reading and writing.
      await sql`lock table users in share row exclusive mode`.execute(tx);
      await sql`update users set person_email = wanted.person
        from (${outOfLine(person)}) wanted where users.id = wanted.id`.execute(tx);
    }
    await sql`update sign_ups set person_email = ${person}
      where person_email <> ${person}`.execute(tx);
  });
}

function outOfLine(person: RawBuilder<string>) {
  return sql`select distinct on (person) id, person
    from (select id, email, person_email, created_at, ${person} as person from users) people
    where person_email <> person and not exists (
      select from users others where others.person_email = people.person and others.id <> people.id)
    order by person, email = person desc, created_at, id`;
}

function personSql(tags: EmailTags): RawBuilder<string> {
  return tags === "same" ? sql`regexp_replace(email, '^([^+@]+)\\+[^@]*@', '\\1@')` : sql`email`;
}

export type Accounts = ReturnType<typeof createAccounts>;

interface AccountsOptions {
  env: Pick<Env, "sessionSecret" | "emailTags">;
  db: Db;
  pool: pg.Pool;
  passwords?: ReturnType<typeof createPasswords>;
}

export function createAccounts({ env, db, pool, passwords = createPasswords() }: AccountsOptions) {
  const person = (email: string) => personOf(email, env.emailTags);
  return {
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    isOutdatedHash: passwords.isOutdated,
    openSession: (userId: string, session?: NewSession) => openSession(db, userId, session),
    closeSession: (token: string) => closeSession(db, token),
    withKeyedLock: createKeyedLock(),
    personOf: person,
    hashEmail: (email: string) =>
      createHmac("sha256", env.sessionSecret)
        .update(`email:${person(email)}`)
        .digest("hex"),
    /** For the log: how the network's keys in rate_limits begin. */
    hashNetwork: (address: string) => hashNetwork(address, env.sessionSecret).slice(0, 12),
    limits: createAddressLimits(pool, env.sessionSecret),
  };
}
