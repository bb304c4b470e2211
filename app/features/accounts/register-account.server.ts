import type { Tx } from "../../platform/db.server.ts";

export interface NewAccount {
  /** Lower case. */
  email: string;
  name: string;
  passwordHash: string;
  /** True only where the address needs no proof: the demo world and tests. */
  confirmed?: boolean;
}

/**
 * The rows of a new account, on the caller's transaction. Answers the user's id, or null when the
 * address is taken, which the unique index decides.
 */
export async function registerAccount(tx: Tx, account: NewAccount): Promise<string | null> {
  const { email, name, passwordHash, confirmed = false } = account;
  const user = await tx
    .insertInto("users")
    .values({ email, name, email_verified: confirmed })
    .onConflict((conflict) => conflict.column("email").doNothing())
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
