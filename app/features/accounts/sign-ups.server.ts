import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { SIGN_UP_DAYS } from "./rules.ts";

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
