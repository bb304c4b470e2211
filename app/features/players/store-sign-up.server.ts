import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { MOST_SIGN_UPS } from "#app/features/accounts/rules.ts";
import { oldestSignUp } from "#app/features/accounts/sign-ups.server.ts";
import { type NewPlayer, profileOf } from "./profiles.server.ts";

export interface NewSignUp extends NewPlayer {
  personEmail: string;
  browserHash: string | null;
  redirectTo: string | null;
}

/**
 * Stores a sign-up beside the person's earlier ones, under the person's lock. Where too many wait,
 * the oldest whose links are over goes; where all have a link that works, the new one is not
 * stored (`id` is null): any of the mails that are out lets the owner in (registerPlayer's proof).
 */
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
      ...profileOf(signUp),
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

/** Lets sign-ups go that nobody has confirmed for 30 days, names, birthdays and all. */
export async function deleteOldSignUps(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("sign_ups").where("created_at", "<=", oldestSignUp(now)).execute();
}

async function makeRoom(tx: Tx, person: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from sign_ups where id = (
    select id from sign_ups where person_email = ${person} and not exists (
      select from verifications where value = sign_ups.id::text
        and identifier like 'confirm:%' and expires_at > ${now})
    order by created_at limit 1)`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
