import type { Tx } from "#app/platform/db.server.ts";

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
