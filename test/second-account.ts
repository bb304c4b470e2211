import os from "node:os";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { openAccount } from "#app/features/players/sign-up.server.ts";
import { deleteAccount } from "#app/features/privacy/delete-account.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
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
  const deletion = { ...proof, userId, firstName: "Cleo", deleteMore: async () => {} };
  const trusting = { ...accounts, verifyPassword: async () => true };
  const parts = { db, jobs, accounts: trusting, dataDir: os.tmpdir() };
  const deleted = await deleteAccount(parts, deletion, now);
  if (!deleted.ok) throw new Error(deleted.reason);
  const signUp = {
    ...{ email, firstName: "Cleo", lastName: "Again", dateOfBirth: "2001-05-17", phone: null },
    ...{ schoolYear: "Master", major: "Physics", passwordHash: "no-password" },
    ...{ personEmail: accounts.personOf(email), browserHash: null, redirectTo: null },
  };
  const memory = { addressHash: accounts.hashEmail(email), recallMore: recallDebt };
  const newId = await db.transaction().execute((tx) => openAccount(tx, signUp, memory, now));
  if (!newId) throw new Error("the address has an account still");
  return newId;
}
