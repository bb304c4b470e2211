import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

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
