import type { Tx } from "#app/platform/db.server.ts";

/** Keeps the account's name in step with the profile's. */
export async function renameAccount(tx: Tx, userId: string, name: string): Promise<void> {
  await tx.updateTable("users").set({ name }).where("id", "=", userId).execute();
}
