import os from "node:os";
import { sql } from "kysely";
import type { Accounts } from "../app/features/accounts/accounts.server.ts";
import { insertPlayer } from "../app/features/players/insert-player.server.ts";
import { deleteAccount } from "../app/features/privacy/delete-account.server.ts";
import { recallDebt } from "../app/features/wallet/recall-debt.server.ts";
import type { TestDatabase } from "./db.ts";

/**
 * Deletes a player's account and signs up with its address again. Answers the new id. What a
 * password costs is spared.
 */
export async function signUpAgain(
  { db, jobs, accounts }: Pick<TestDatabase, "db" | "jobs"> & { accounts: Accounts },
  userId: string,
  now: Date,
): Promise<string> {
  const { email } = await db
    .selectFrom("profiles")
    .select("email")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const proof = { email, password: "", address: crypto.randomUUID(), device: null };
  const deletion = { ...proof, userId, firstName: "Cleo", forgetMore: async () => {} };
  const trusting = { ...accounts, verifyPassword: async () => true };
  const parts = { db, jobs, accounts: trusting, dataDir: os.tmpdir() };
  const deleted = await deleteAccount(parts, deletion, now);
  if (!deleted.ok) throw new Error(deleted.reason);
  const addressHash = accounts.hashEmail(email);
  return db.transaction().execute(async (tx) => {
    const newId = await insertPlayer(tx, {
      ...{ email, firstName: "Cleo", lastName: "Again", dateOfBirth: "2001-05-17", phone: null },
      ...{ schoolYear: "Master", major: "Physics", passwordHash: "no-password", confirmed: true },
    });
    await sql`update profiles set had_free_session = true where user_id = ${newId} and exists (
      select from former_free_sessions where address_hash = ${addressHash})`.execute(tx);
    await recallDebt(tx, { userId: newId!, addressHash }, now);
    return newId!;
  });
}
