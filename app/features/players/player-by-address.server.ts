import type { Db, Tx } from "#app/platform/db.server.ts";

/** The id of the player with that e-mail address, however it is written; null where nobody has it. */
export async function findPlayerByAddress(db: Db | Tx, address: string): Promise<string | null> {
  // The account's address has an index; a profile's own is the same.
  const player = await db
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select("users.id")
    .where("users.email", "=", address.trim().toLowerCase())
    .executeTakeFirst();
  return player?.id ?? null;
}
